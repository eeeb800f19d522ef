import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { WarningIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { nameOf } from '../../ticket.ts'
import styles from './calendar-ticket.module.css'

interface CalendarTicketProps {
  ticket: QueriedTicket
  /** Its day has passed, and it is open. */
  isLate: boolean
  /** It has the tab stop of the calendar. */
  isCurrent: boolean
  /** It is being carried. */
  isLifted?: boolean
  isPending?: boolean
  /** How many lines it may take. */
  lines: 1 | 2 | 4
  keysId?: string
}

/** Arabic and Hebrew. */
const rightToLeft = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** A ticket on the calendar: only a link, because the calendar handles clicks, keys and drags. */
export function CalendarTicket({ ticket, isLate, isCurrent, isLifted, isPending, lines, keysId }: CalendarTicketProps) {
  return (
    <li className={styles.item}>
      <a
        href={`/view-ticket/${ticket.id}`}
        className={styles.ticket}
        title={`${nameOf(ticket)} ${ticket.Title}`}
        data-ticket={ticket.id}
        data-phase={ticket.Phase}
        data-lines={lines}
        data-lifted={isLifted || undefined}
        data-pending={isPending || undefined}
        tabIndex={isCurrent ? 0 : -1}
        aria-describedby={keysId}
        draggable={false}
      >
        <span className={styles.words}>
          <PhaseMark phase={ticket.Phase} /> <span className={styles.key}>{nameOf(ticket)} </span>
          <bdi className={styles.title} data-rtl={rightToLeft.test(ticket.Title) || undefined}>
            {ticket.Title}
          </bdi>
        </span>
        {isLate && (
          <span className={styles.late}>
            <WarningIcon fontSize="small" titleAccess="Late" />
          </span>
        )}
        <VisuallyHidden>, {ticket.Trashed ? 'in the trash' : ticket.State}</VisuallyHidden>
      </a>
    </li>
  )
}
