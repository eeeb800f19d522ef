import { useState } from 'react'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { FeedIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Link } from '../../../components/link/link.tsx'
import { Select } from '../../../components/select/select.tsx'
import { ToggleGroup } from '../../../components/toggle-group/toggle-group.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import { choicesOf, type DateField } from '../dates/date-fields.ts'
import type { DatedTickets } from '../dates/dated-tickets.ts'
import { DateSteps } from '../dates/tools/date-steps.tsx'
import styles from '../dates/tools/date-tools.module.css'
import type { TicketView } from '../list/view/ticket-view.ts'
import { listPath } from './calendar-data.ts'
import { type Sight, type Span, stepped } from './calendar-days.ts'

const CalendarFeedsDialog = lazy(async () => (await import('./feed/calendar-feeds-dialog.tsx')).CalendarFeedsDialog)

interface CalendarToolsProps {
  idProject: number
  view: TicketView
  field: DateField
  fields: readonly DateField[]
  sight: Sight
  today: string
  title: string
  onGo: (sight: Sight) => void
  onField: (key: string) => void
  /** Undefined while they are loading. */
  shown: DatedTickets | undefined
}

const spans = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const

/** The line above the calendar: which time and which field it shows, and what it leaves out. */
export function CalendarTools({ idProject, view, field, fields, sight, today, title, onGo, onField, shown }: CalendarToolsProps) {
  const [isFeedOpen, openFeed] = useState(false)
  const [before, after] = [stepped(sight, -1), stepped(sight, 1)]
  return (
    <>
      <div className={styles.tools}>
        <DateSteps
          title={title}
          unit={sight.span}
          onToday={() => onGo({ span: sight.span, day: today })}
          onBack={before && (() => onGo(before))}
          onForward={after && (() => onGo(after))}
        >
          <Tooltip title="Calendar feed">
            <IconButton aria-label="Calendar feed" aria-haspopup="dialog" onClick={() => openFeed(true)}>
              <FeedIcon />
            </IconButton>
          </Tooltip>
        </DateSteps>
        <div className={styles.end}>
          <div className={styles.notes}>
            <span data-waiting={!shown || undefined}>
              <span className={styles.count}>{counted(shown?.total ?? 0, 'ticket')}</span>
              {fields.length === 1 && ` by ${field.label}`}
            </span>
            <Link to={listPath(idProject, view, field, '')} className={styles.none}>
              Without a date
            </Link>
          </div>
          {fields.length > 1 && (
            <Select aria-label="Dates of" value={field.key} options={choicesOf(fields)} onChange={onField} className={styles.field} />
          )}
          <ToggleGroup<Span>
            label="Shows a"
            value={sight.span}
            options={spans}
            onChange={span => onGo({ ...sight, span })}
            className={styles.spans}
          />
        </div>
      </div>
      {shown?.cutAt && (
        <p role="status" className={styles.cut}>
          Only the first {formatNumber(shown.tickets.length)} of {counted(shown.total, 'ticket')} are shown. Days that may have more lead to
          the list.
        </p>
      )}
      {isFeedOpen && (
        <CalendarFeedsDialog idProject={idProject} view={view} field={field} fields={fields} onClose={() => openFeed(false)} />
      )}
    </>
  )
}
