import type { CSSProperties } from 'react'
import { hueOf, initials } from '../../lib/display/format.ts'
import styles from './avatar.module.css'

/** A person's initials on a colour of their own; the name stands beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span aria-hidden className={styles.avatar} style={{ '--hue': hueOf(name) } as CSSProperties}>
      {initials(name)}
    </span>
  )
}
