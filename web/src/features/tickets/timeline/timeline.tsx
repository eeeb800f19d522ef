import { keysOfGroup } from '@tessera/contract/projects/views'
import { useMemo } from 'react'
import { useSearch } from '../../../lib/navigation/use-search.ts'
import type { DateField } from '../dates/date-fields.ts'
import { rangeName } from '../dates/days/day-names.ts'
import { useToday } from '../dates/days/use-today.ts'
import { firstWeekday } from '../dates/days/weeks.ts'
import { ShownCount } from '../dates/tools/shown-count.tsx'
import { WithDateFields } from '../dates/tools/with-date-fields.tsx'
import { type DatedLayoutProps, useDatedTickets } from '../dates/use-dated-tickets.ts'
import { UnreadTickets } from '../list/view/unread-tickets.tsx'
import { barName, type TwoFields } from './data/bar.ts'
import { timelineRequest, twoOf } from './data/timeline-data.ts'
import { readSight, type Sight, windowOf, writeSight } from './timeline-days.ts'
import { TimelineTools } from './timeline-tools.tsx'
import { TimelineView } from './timeline-view.tsx'

/** The tickets of a project as bars from the day of one DATE field to the day of another. */
export function Timeline(props: DatedLayoutProps) {
  const { idProject, view, onError } = props
  const keys = keysOfGroup(view.group)
  return (
    <WithDateFields
      idProject={idProject}
      keys={keys}
      choose={fields => twoOf(fields, keys)}
      area="timeline"
      title="A timeline needs two date fields"
      why="It shows each ticket as a bar from the day of one field to the day of another."
      onError={onError}
    >
      {(two, offered) => <TimelineOfFields {...props} fields={two} offered={offered} />}
    </WithDateFields>
  )
}

type TimelineOfFieldsProps = DatedLayoutProps & { fields: TwoFields; offered: readonly DateField[] }

function TimelineOfFields({ idProject, view, onChange, label, onError, fields, offered }: TimelineOfFieldsProps) {
  const today = useToday()
  const [search, setSearch] = useSearch()
  const sight = readSight(search, today)
  const first = useMemo(() => firstWeekday(), [])
  const window = useMemo(() => windowOf({ zoom: sight.zoom, day: sight.day }, first), [sight.zoom, sight.day, first])
  const { shown, isLoading, isOfOtherDays, problem, refetch, moves, refused } = useDatedTickets({
    idProject,
    request: timelineRequest(idProject, view, fields, window),
    viewQuery: view.query,
    wordsOf: days => barName({ start: days[fields.start.key] ?? '', end: days[fields.end.key] ?? '' }),
    onError,
  })
  const title = rangeName(window.from, window.to)
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
        shown={isOfOtherDays ? undefined : shown}
      />
      {problem ? (
        <UnreadTickets problem={problem} onRetry={refetch} />
      ) : (
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
      <ShownCount area="timeline" isLoading={isLoading} title={title} shown={shown} />
    </>
  )
}
