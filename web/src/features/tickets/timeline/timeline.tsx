import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keysOfGroup } from '@tessera/contract/projects/views'
import { useEffect, useMemo } from 'react'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { useSearch } from '../../../lib/navigation/use-search.ts'
import { useDateMoves } from '../dates/carrying/use-date-moves.ts'
import type { DateField } from '../dates/date-fields.ts'
import { datedQuery } from '../dates/dated-tickets.ts'
import { rangeName } from '../dates/days/day-names.ts'
import { useToday } from '../dates/days/use-today.ts'
import { firstWeekday } from '../dates/days/weeks.ts'
import { NoDateField } from '../dates/tools/no-date-field.tsx'
import { useDateFields } from '../dates/use-date-fields.ts'
import { useEditRefusal } from '../dates/use-edit-refusal.ts'
import type { TicketView } from '../list/view/ticket-view.ts'
import { unansweredQuery } from '../list/view/unanswered-query.ts'
import { barName, type TwoFields } from './data/bar.ts'
import { timelineRequest, twoOf } from './data/timeline-data.ts'
import { readSight, type Sight, windowOf, writeSight } from './days/timeline-days.ts'
import { TimelineTools } from './timeline-tools.tsx'
import { TimelineView } from './timeline-view.tsx'

interface TimelineProps {
  idProject: number
  view: TicketView
  onChange: (change: { group: string }) => void
  label: string
  /** Called with the error when the timeline could not be read, and with null when it could. */
  onError: (error: CallError | null) => void
}

/** The tickets of a project as bars from the day of one DATE field to the day of another. */
export function Timeline(props: TimelineProps) {
  const { idProject, view, onError } = props
  const keys = keysOfGroup(view.group)
  const { isPending, error, refetch, fields, unreadable } = useDateFields(idProject, keys)
  const two = isPending ? undefined : twoOf(fields, keys)
  const isMissing = !isPending && !two
  useEffect(() => {
    if (isMissing) onError(null)
  }, [onError, isMissing])
  if (two) return <TimelineOfFields {...props} fields={two} offered={fields} />
  if (error) return <ErrorState message={error.message} onRetry={refetch} />
  if (!isPending)
    return (
      <NoDateField
        idProject={idProject}
        area="timeline"
        title="A timeline needs two date fields"
        why="It shows each ticket as a bar from the day of one field to the day of another."
        unreadable={unreadable}
      />
    )
  return <VisuallyHidden role="status">Loading the timeline</VisuallyHidden>
}

type TimelineOfFieldsProps = TimelineProps & { fields: TwoFields; offered: readonly DateField[] }

function TimelineOfFields({ idProject, view, onChange, label, onError, fields, offered }: TimelineOfFieldsProps) {
  const today = useToday()
  const [search, setSearch] = useSearch()
  const sight = readSight(search, today)
  const first = useMemo(() => firstWeekday(), [])
  const window = useMemo(() => windowOf({ zoom: sight.zoom, day: sight.day }, first), [sight.zoom, sight.day, first])
  const options = datedQuery(timelineRequest(idProject, view, fields, window), view.query.trim())
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  useEffect(() => onError(query.error), [onError, query.error])
  const refused = useEditRefusal(idProject)
  const moves = useDateMoves({
    idProject,
    queryKey: options.queryKey,
    wordsOf: days => barName({ start: days[fields.start.key] ?? '', end: days[fields.end.key] ?? '' }),
  })

  const shown = query.data && moves.shownOf(query.data)
  const isLoading = query.isPending || query.isPlaceholderData
  const title = rangeName(window.from, window.to)
  const isUnread = query.isError && !shown
  return (
    <>
      <TimelineTools
        idProject={idProject}
        view={view}
        fields={fields}
        offered={offered}
        sight={sight}
        window={window}
        today={today}
        title={title}
        onGo={(to: Sight) => setSearch(now => writeSight(now, to, today))}
        onFields={group => onChange({ group })}
        shown={query.isPlaceholderData ? undefined : shown}
      />
      {isUnread &&
        (query.error.code === 'query' ? (
          <EmptyState icon={<SearchIcon />} title={unansweredQuery} />
        ) : (
          <ErrorState message={query.error.message} onRetry={() => void query.refetch()} />
        ))}
      {!isUnread && (
        <TimelineView
          idProject={idProject}
          label={label}
          fields={fields}
          sight={sight}
          window={window}
          today={today}
          title={title}
          shown={shown}
          isLoading={isLoading}
          moves={moves}
          refused={refused}
        />
      )}
      <VisuallyHidden role="status">
        {isLoading ? 'Loading the timeline' : shown ? `${title}: ${counted(shown.total, 'ticket')}` : ''}
      </VisuallyHidden>
    </>
  )
}
