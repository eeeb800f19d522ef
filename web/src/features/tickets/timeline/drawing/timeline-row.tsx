import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { memo } from 'react'
import { WarningIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { nameOf } from '../../ticket.ts'
import { type Bar, barWords, endsBeforeStart, type Part, placeOf } from '../data/bar.ts'
import type { Window } from '../timeline-days.ts'
import styles from './timeline-row.module.css'
import { share } from './timeline-scale.tsx'

interface TimelineRowProps {
  ticket: QueriedTicket
  start: string
  end: string
  window: Window
  /** The conflicts of the ticket in words; '' without one. */
  conflicts: string
  /** A ticket that it waits for ends after it starts. */
  isInConflict: boolean
  /** It has the tab stop of the timeline. */
  isCurrent: boolean
  /** What of it is being carried. */
  lifted: Part | undefined
  /** Where it is carried to by keys; '' while the pointer's own box says so. */
  carriedTo: string
  isPending: boolean
  /** Nobody can carry it. */
  isFixed: boolean
  keysId: string
}

/** A ticket and its bar. The timeline handles clicks, keys and drags. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { ticket, start, end, window, conflicts, isInConflict, isCurrent, lifted, carriedTo, isPending, isFixed, keysId } = props
  const bar: Bar = { start, end }
  const place = placeOf(bar, window)
  const name = nameOf(ticket)
  const problem = endsBeforeStart(bar) ? `${name} ends before it starts` : ''
  const words = [barWords(bar), conflicts, problem].filter(each => each !== '')
  return (
    <li className={styles.row}>
      <a
        href={`/view-ticket/${ticket.id}`}
        className={styles.ticket}
        title={`${name} ${ticket.Title}`}
        data-ticket={ticket.id}
        data-phase={ticket.Phase}
        tabIndex={isCurrent ? 0 : -1}
        aria-describedby={keysId}
        draggable={false}
      >
        <PhaseMark phase={ticket.Phase} />
        <span className={styles.key}>{name} </span>
        {(isInConflict || problem) && (
          <span className={styles.conflict} title={conflicts || problem}>
            <WarningIcon fontSize="small" />
          </span>
        )}
        <bdi className={styles.title}>{ticket.Title}</bdi>
        <VisuallyHidden>
          , {ticket.Trashed ? 'in the trash' : ticket.State}. {words.join('. ')}.
        </VisuallyHidden>
      </a>
      <div aria-hidden className={styles.lane}>
        {place && (
          <a
            href={`/view-ticket/${ticket.id}`}
            tabIndex={-1}
            draggable={false}
            // The focus stays at the links, which say everything.
            onMouseDown={event => event.preventDefault()}
            className={styles.bar}
            style={share(place, window.count)}
            title={[`${name} ${ticket.Title}`, ...words].join('\n')}
            data-bar={ticket.id}
            data-phase={ticket.Phase}
            data-point={place.isPoint || undefined}
            data-cut-before={place.isCutBefore || undefined}
            data-cut-after={place.isCutAfter || undefined}
            data-conflict={isInConflict || problem !== '' || undefined}
            data-lifted={lifted}
            data-pending={isPending || undefined}
            data-fixed={isFixed || undefined}
          >
            {!place.isPoint && !isFixed && !place.isCutBefore && <span data-edge="start" className={styles.edge} />}
            {!place.isPoint && !isFixed && !place.isCutAfter && <span data-edge="end" className={styles.edge} />}
            {carriedTo && <span className={styles.days}>{carriedTo}</span>}
          </a>
        )}
      </div>
    </li>
  )
})
