import type { ReactNode } from 'react'
import linkStyles from '../../../../components/link/link.module.css'

/** The id in `attachment:12`; undefined for an address of another site. */
export function attachmentIn(address: string) {
  return /^attachment:(\d+)$/i.exec(address)?.[1]
}

export function ForeignLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className={`${linkStyles.link} ${linkStyles.always}`}
      // On paper it follows the words, unless they are the address.
      data-address={String(children) === address ? undefined : address}
    >
      {children}
    </a>
  )
}
