import { Link } from '../../../components/link/link.tsx'
import { Select } from '../../../components/select/select.tsx'
import { ToggleGroup } from '../../../components/toggle-group/toggle-group.tsx'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import { choicesOf, type DateField } from '../dates/date-fields.ts'
import type { DatedTickets } from '../dates/dated-tickets.ts'
import { DateSteps } from '../dates/tools/date-steps.tsx'
import styles from '../dates/tools/date-tools.module.css'
import type { TicketView } from '../list/view/ticket-view.ts'
import type { TwoFields } from './data/bar.ts'
import { listPath, withoutDatesPath } from './data/timeline-data.ts'
import { type Sight, stepName, stepped, type Window, type Zoom } from './timeline-days.ts'

interface TimelineToolsProps {
  idProject: number
  view: TicketView
  fields: TwoFields
  offered: readonly DateField[]
  sight: Sight
  window: Window
  today: string
  title: string
  onGo: (sight: Sight) => void
  onFields: (group: string) => void
  /** Undefined while they are loading. */
  shown: DatedTickets | undefined
}

const zooms = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'quarter', label: 'Quarter' },
] as const

/** The line above the timeline: which days and which fields it shows, and what it leaves out. */
export function TimelineTools(props: TimelineToolsProps) {
  const { idProject, view, fields, offered, sight, window, today, title, onGo, onFields, shown } = props
  const { start, end } = fields
  const [before, after] = [stepped(sight, -1), stepped(sight, 1)]
  const options = choicesOf(offered)
  // Whoever chooses the field of the other end exchanges the two.
  const choose = (startKey: string, endKey: string) => onFields(startKey === endKey ? `${end.key}..${start.key}` : `${startKey}..${endKey}`)
  return (
    <>
      <div className={styles.tools}>
        <DateSteps
          title={title}
          unit={stepName(sight.zoom)}
          onToday={() => onGo({ zoom: sight.zoom, day: today })}
          onBack={before && (() => onGo(before))}
          onForward={after && (() => onGo(after))}
        />
        <div className={styles.end}>
          <div className={styles.notes}>
            <span className={styles.count} data-waiting={!shown || undefined}>
              {counted(shown?.total ?? 0, 'ticket')}
            </span>
            <Link to={withoutDatesPath(idProject, view, fields)} className={styles.none}>
              Without dates
            </Link>
          </div>
          <div className={styles.pair}>
            <span aria-hidden>From</span>
            <Select aria-label="Bars go from" value={start.key} options={options} onChange={key => choose(key, end.key)} />
            <span aria-hidden>to</span>
            <Select aria-label="Bars go to" value={end.key} options={options} onChange={key => choose(start.key, key)} />
          </div>
          <ToggleGroup<Zoom>
            label="Zoom"
            value={sight.zoom}
            options={zooms}
            onChange={zoom => onGo({ ...sight, zoom })}
            className={styles.spans}
          />
        </div>
      </div>
      {shown?.cutAt !== undefined && (
        <p role="status" className={styles.cut}>
          Only the first {formatNumber(shown.tickets.length)} of {counted(shown.total, 'ticket')} are shown.{' '}
          <Link to={listPath(idProject, view, fields, window)}>All of them in the list</Link>
        </p>
      )}
    </>
  )
}
