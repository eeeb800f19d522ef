import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { Link } from '../../../../components/link/link.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { dayName, shortDay, weekdayName } from '../../dates/days/day-names.ts'
import type { Day } from '../calendar-data.ts'
import type { Span } from '../calendar-days.ts'
import { AddOnDay } from './add-on-day.tsx'
import styles from './calendar.module.css'

interface CalendarGridProps {
  label: string
  span: Span
  days: readonly Day[]
  isLoading: boolean
  /** The day that a ticket is carried to. */
  target: string | undefined
  onMore: (day: string) => void
  /** Undefined for those who may not create tickets. */
  onAdd: ((day: string) => void) | undefined
  ticketOf: (ticket: QueriedTicket, lines: 1 | 2 | 4) => ReactNode
}

/** A day of a month shows this many tickets, or one less and a button for the others. */
const most = 4
/** With at most this many, their titles take two lines. */
const few = 2

/** A column for each weekday, and a row for each week. */
export function CalendarGrid({ label, span, days, isLoading, target, onMore, onAdd, ticketOf }: CalendarGridProps) {
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const tabStop = (days.find(({ isToday }) => isToday) ?? days.find(({ isBeside }) => !isBeside))?.day
  return (
    <div className={styles.card}>
      <table aria-label={label} className={styles.grid} data-span={span}>
        <thead>
          <tr>
            {weeks[0]?.map(({ day }) => (
              <th key={day} scope="col">
                <span aria-hidden>{weekdayName(day).slice(0, 3)}</span>
                <VisuallyHidden>{weekdayName(day)}</VisuallyHidden>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(week => (
            <tr key={week[0]?.day}>
              {week.map(day => (
                <td
                  key={day.day}
                  data-day={day.day}
                  data-beside={day.isBeside || undefined}
                  data-target={day.day === target || undefined}
                  aria-current={day.isToday ? 'date' : undefined}
                >
                  <DayCell
                    day={day}
                    isWeek={span === 'week'}
                    isLoading={isLoading}
                    onMore={onMore}
                    add={onAdd && <AddOnDay day={day.day} isTabStop={day.day === tabStop} onAdd={onAdd} />}
                    ticketOf={ticketOf}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type DayCellProps = Pick<CalendarGridProps, 'isLoading' | 'onMore' | 'ticketOf'> & { day: Day; isWeek: boolean; add: ReactNode }

function DayCell({ day: { day, isToday, tickets, more }, isWeek, isLoading, onMore, add, ticketOf }: DayCellProps) {
  const shown = isWeek || tickets.length <= most ? tickets : tickets.slice(0, most - 1)
  const rest = tickets.length - shown.length
  const linesOfMonth = tickets.length <= few ? 2 : 1
  const lines = isWeek ? 4 : linesOfMonth
  return (
    <>
      <div className={styles.number}>
        <span aria-hidden className={isToday ? styles.today : undefined}>
          {shortDay(day)}
        </span>
        <VisuallyHidden>
          {dayName(day)}
          {isToday && ', today'}
        </VisuallyHidden>
        {add}
      </div>
      {isLoading && <Skeleton height={22} />}
      {shown.length > 0 && (
        <ul aria-label={dayName(day)} className={styles.tickets}>
          {shown.map(ticket => ticketOf(ticket, lines))}
        </ul>
      )}
      {rest > 0 && !more && (
        <button type="button" data-more={day} className={styles.more} onClick={() => onMore(day)}>
          +{rest} more<VisuallyHidden> on {dayName(day)}</VisuallyHidden>
        </button>
      )}
      {more && (
        <Link to={more} className={styles.more}>
          More in the list<VisuallyHidden>, of {dayName(day)}</VisuallyHidden>
        </Link>
      )}
    </>
  )
}
