import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { counted, formatDay } from '../../../lib/display/format.ts'
import { useSearch } from '../../../lib/navigation/use-search.ts'
import { useDateMoves } from '../dates/carrying/use-date-moves.ts'
import { type DateField, fieldOf } from '../dates/date-fields.ts'
import { datedQuery } from '../dates/dated-tickets.ts'
import { useToday } from '../dates/days/use-today.ts'
import { firstWeekday } from '../dates/days/weeks.ts'
import { NoDateField } from '../dates/tools/no-date-field.tsx'
import { useDateFields } from '../dates/use-date-fields.ts'
import { useEditRefusal } from '../dates/use-edit-refusal.ts'
import type { TicketView } from '../list/view/ticket-view.ts'
import { unansweredQuery } from '../list/view/unanswered-query.ts'
import { CalendarTools } from './calendar-tools.tsx'
import { CalendarView } from './calendar-view.tsx'
import { calendarRequest } from './data/calendar-data.ts'
import { daysOf, readSight, type Sight, sightName, stepped, writeSight } from './days/calendar-days.ts'

interface CalendarProps {
  idProject: number
  view: TicketView
  onChange: (change: { group: string }) => void
  label: string
  /** Called with the error when the calendar could not be read, and with null when it could. */
  onError: (error: CallError | null) => void
}

/** The tickets of a project on the days of one of its DATE fields. */
export function Calendar(props: CalendarProps) {
  const { idProject, view, onError } = props
  const { isPending, error, refetch, fields, unreadable } = useDateFields(idProject, [view.group])
  const field = isPending ? undefined : fieldOf(fields, view.group)
  const isMissing = !isPending && !field
  useEffect(() => {
    if (isMissing) onError(null)
  }, [onError, isMissing])
  if (field) return <CalendarOfField {...props} field={field} fields={fields} />
  if (error) return <ErrorState message={error.message} onRetry={refetch} />
  if (!isPending)
    return (
      <NoDateField
        idProject={idProject}
        area="calendar"
        title="There is no date field to show"
        why="A calendar shows each ticket on the day that one of its fields has."
        unreadable={unreadable}
      />
    )
  return <VisuallyHidden role="status">Loading the calendar</VisuallyHidden>
}

function CalendarOfField({
  idProject,
  view,
  onChange,
  label,
  onError,
  field,
  fields,
}: CalendarProps & { field: DateField; fields: readonly DateField[] }) {
  const today = useToday()
  const [search, setSearch] = useSearch()
  const sight = readSight(search.get('date'), today)
  const first = useMemo(() => firstWeekday(), [])
  const days = useMemo(() => daysOf({ span: sight.span, day: sight.day }, first), [sight.span, sight.day, first])
  const go = (to: Sight) =>
    setSearch(now => {
      const next = new URLSearchParams(now)
      const text = writeSight(to, today)
      if (text) next.set('date', text)
      else next.delete('date')
      return next
    })
  const turn = (by: 1 | -1) => {
    const to = stepped(sight, by)
    if (to) go(to)
    return to !== undefined
  }
  const options = datedQuery(calendarRequest(idProject, view, field, days), view.query.trim())
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  useEffect(() => onError(query.error), [onError, query.error])
  const refused = useEditRefusal(idProject)
  const moves = useDateMoves({ idProject, queryKey: options.queryKey, wordsOf: days => formatDay(days[field.key] ?? '') })

  const shown = query.data && moves.shownOf(query.data)
  const title = sightName(sight, days)
  const tools = { idProject, view, field, fields, sight, days, today, title, onGo: go, onField: (group: string) => onChange({ group }) }
  const isUnread = query.isError && !shown
  return (
    <>
      <CalendarTools {...tools} shown={query.isPlaceholderData ? undefined : shown} />
      {isUnread &&
        (query.error.code === 'query' ? (
          <EmptyState icon={<SearchIcon />} title={unansweredQuery} />
        ) : (
          <ErrorState message={query.error.message} onRetry={() => void query.refetch()} />
        ))}
      {!isUnread && (
        <CalendarView
          idProject={idProject}
          view={view}
          label={label}
          field={field}
          sight={sight}
          days={days}
          today={today}
          title={title}
          shown={shown}
          isLoading={query.isPending || query.isPlaceholderData}
          moves={moves}
          refused={refused}
          onTurn={turn}
        />
      )}
      <VisuallyHidden role="status">
        {query.isPending || query.isPlaceholderData ? 'Loading the calendar' : shown ? `${title}: ${counted(shown.total, 'ticket')}` : ''}
      </VisuallyHidden>
    </>
  )
}
