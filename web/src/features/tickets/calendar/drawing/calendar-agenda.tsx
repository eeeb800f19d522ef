import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { CalendarIcon } from '../../../../components/icons/icons.tsx'
import { Link } from '../../../../components/link/link.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { dayName } from '../../dates/days/day-names.ts'
import type { Day } from '../calendar-data.ts'
import { AddOnDay } from './add-on-day.tsx'
import styles from './calendar.module.css'

interface CalendarAgendaProps {
  days: readonly Day[]
  title: string
  isLoading: boolean
  /** Undefined for those who may not create tickets. */
  onAdd: ((day: string) => void) | undefined
  ticketOf: (ticket: QueriedTicket, lines: 4) => ReactNode
}

/** On a phone: the days that have tickets, below each other. */
export function CalendarAgenda({ days, title, isLoading, onAdd, ticketOf }: CalendarAgendaProps) {
  const shown = days.filter(({ tickets, more }) => tickets.length > 0 || more)
  if (isLoading)
    return (
      <div aria-hidden className={styles.agenda}>
        {[0, 1, 2].map(row => (
          <Skeleton key={row} height={72} />
        ))}
      </div>
    )
  if (shown.length === 0) return <EmptyState dense icon={<CalendarIcon />} title={`No tickets in ${title}`} />
  return (
    <div className={styles.agenda}>
      {shown.map(({ day, isToday, tickets, more }) => (
        <section key={day} data-day={day} aria-current={isToday ? 'date' : undefined} className={styles.date}>
          <div className={styles.dateHead}>
            <h3>
              {dayName(day)}
              {isToday && <span className={styles.badge}>Today</span>}
            </h3>
            {onAdd && <AddOnDay day={day} isTabStop onAdd={onAdd} />}
          </div>
          {tickets.length > 0 && <ul className={styles.tickets}>{tickets.map(ticket => ticketOf(ticket, 4))}</ul>}
          {more && (
            <Link to={more} className={styles.more}>
              More in the list<VisuallyHidden>, of {dayName(day)}</VisuallyHidden>
            </Link>
          )}
        </section>
      ))}
    </div>
  )
}
