import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { TimelineIcon, WarningIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { nameOf } from '../../ticket.ts'
import { barWords, endsBeforeStart } from '../data/bar.ts'
import type { conflictsOf, Row } from '../data/conflicts.ts'
import styles from './timeline-agenda.module.css'

interface TimelineAgendaProps {
  label: string
  rows: readonly Row[]
  conflicts: ReturnType<typeof conflictsOf>
  isLoading: boolean
  /** The ticket that has the tab stop. */
  current: number | undefined
  keysId: string
}

/** On a phone: the tickets with their days and conflicts in words, in the order of the timeline. */
export function TimelineAgenda({ label, rows, conflicts, isLoading, current, keysId }: TimelineAgendaProps) {
  if (isLoading)
    return (
      <div aria-hidden className={styles.agenda}>
        {[0, 1, 2].map(row => (
          <Skeleton key={row} height={72} />
        ))}
      </div>
    )
  if (rows.length === 0) return <EmptyState dense icon={<TimelineIcon />} title="No tickets on these days" />
  return (
    <ul aria-label={label} className={styles.agenda}>
      {rows.map(({ ticket, bar }) => {
        const problems = [
          ...(conflicts.get(ticket.id)?.words ?? []),
          ...(endsBeforeStart(bar) ? [`${nameOf(ticket)} ends before it starts`] : []),
        ]
        return (
          <li key={ticket.id}>
            <a
              href={`/view-ticket/${ticket.id}`}
              className={styles.ticket}
              data-ticket={ticket.id}
              data-phase={ticket.Phase}
              tabIndex={ticket.id === current ? 0 : -1}
              aria-describedby={keysId}
            >
              <span className={styles.words}>
                <PhaseMark phase={ticket.Phase} /> <span className={styles.key}>{nameOf(ticket)} </span>
                <bdi className={styles.title}>{ticket.Title}</bdi>
                <VisuallyHidden>, {ticket.Trashed ? 'in the trash' : ticket.State}. </VisuallyHidden>
              </span>
              <span className={styles.days}>{barWords(bar)}</span>
              {problems.map(words => (
                <span key={words} className={styles.problem}>
                  <WarningIcon fontSize="small" /> {words}
                </span>
              ))}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
