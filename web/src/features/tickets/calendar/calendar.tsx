import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { useEffect, useMemo } from 'react'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { archivedReason } from '../../../components/permission-gate/archived-reason.ts'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { type CallError, callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { useSearch } from '../../../lib/navigation/use-search.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'
import type { TicketView } from '../list/view/ticket-view.ts'
import { unansweredQuery } from '../list/view/unanswered-query.ts'
import { CalendarTools } from './calendar-tools.tsx'
import { CalendarView } from './calendar-view.tsx'
import { useDateMoves } from './carrying/use-date-moves.ts'
import { calendarQuery, calendarRequest, type DateField } from './data/calendar-data.ts'
import { useDateFields } from './data/use-date-fields.ts'
import { daysOf, firstWeekday, readSight, type Sight, sightName, stepped, writeSight } from './days/calendar-days.ts'
import { useToday } from './days/use-today.ts'
import { NoDateField } from './no-date-field.tsx'

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
  const { isPending, error, refetch, fields, field, unreadable } = useDateFields(idProject, view.group)
  const isMissing = !isPending && !field
  useEffect(() => {
    if (isMissing) onError(null)
  }, [onError, isMissing])
  if (field) return <CalendarOfField {...props} field={field} fields={fields} />
  if (error) return <ErrorState message={error.message} onRetry={refetch} />
  if (!isPending) return <NoDateField idProject={idProject} unreadable={unreadable} />
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
  const options = calendarQuery(calendarRequest(idProject, view, field, days), field.key, view.query.trim())
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  useEffect(() => onError(query.error), [onError, query.error])
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const session = useSession()
  const held = project.data?.Permissions ?? []
  const mayEdit = held.includes(permission.editTickets) || mayInProject(session, idProject, permission.editTickets)
  const refused = project.data?.Archived === 1 ? archivedReason : mayEdit ? undefined : 'This needs the permission Edit tickets'
  const moves = useDateMoves(idProject, field.key, options.queryKey)

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
