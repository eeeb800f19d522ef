import type { CSSProperties } from 'react'
import { hueOf, initials } from '../../lib/display/format.ts'
import styles from './avatar.module.css'

/** A person's initials on the person's color; the name is shown beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span aria-hidden className={styles.avatar} style={{ '--hue': hueOf(name) } as CSSProperties}>
      {initials(name)}
    </span>
  )
}
