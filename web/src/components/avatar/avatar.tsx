import { initials } from '../../lib/format.ts'
import styles from './avatar.module.css'

/** A person's initials; the name stands beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span aria-hidden className={styles.avatar}>
      {initials(name)}
    </span>
  )
}
