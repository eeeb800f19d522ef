import type { ReactNode } from 'react'
import styles from './ticket-columns.module.css'

/** The ticket beside its comments, above them where there is no room. */
export function TicketColumns({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div>{left}</div>
      <div>{right}</div>
    </div>
  )
}
