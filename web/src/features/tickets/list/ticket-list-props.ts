import type { ReactNode } from 'react'

export interface TicketListProps {
  idProject: number
  /** Its children instead of the whole project. */
  idParent?: number
  /** Names the table. */
  label: string
  /** At the left of the line with the views. */
  heading: ReactNode
  /** At the right of that line. */
  actions?: ReactNode
  /** Shown for an empty list: a message and a button for the next step. */
  empty: ReactNode
  /** Called when the pointer or the focus reaches a row: time to load the ticket page's code. */
  onApproach?: () => void
}
