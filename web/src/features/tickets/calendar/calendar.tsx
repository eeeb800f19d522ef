import { useMemo } from 'react'
import { formatDay } from '../../../lib/display/format.ts'
import { useSearch, withParameters } from '../../../lib/navigation/use-search.ts'
import { type DateField, fieldOf } from '../dates/date-fields.ts'
import { useToday } from '../dates/days/use-today.ts'
import { firstWeekday } from '../dates/days/weeks.ts'
import { ShownCount } from '../dates/tools/shown-count.tsx'
import { WithDateFields } from '../dates/tools/with-date-fields.tsx'
import { type DatedLayoutProps, useDatedTickets } from '../dates/use-dated-tickets.ts'
import { UnreadTickets } from '../list/view/unread-tickets.tsx'
import { calendarRequest } from './calendar-data.ts'
import { daysOf, readSight, type Sight, sightName, stepped, writeSight } from './calendar-days.ts'
import { CalendarTools } from './calendar-tools.tsx'
import { CalendarView } from './calendar-view.tsx'

/** The tickets of a project on the days of one of its DATE fields. */
export function Calendar(props: DatedLayoutProps) {
  const { idProject, view, onError } = props
  return (
    <WithDateFields
      idProject={idProject}
      keys={[view.group]}
      choose={fields => fieldOf(fields, view.group)}
      area="calendar"
      title="There is no date field to show"
      why="A calendar shows each ticket on the day that one of its fields has."
      onError={onError}
    >
      {(field, fields) => <CalendarOfField {...props} field={field} fields={fields} />}
    </WithDateFields>
  )
}

type CalendarOfFieldProps = DatedLayoutProps & { field: DateField; fields: readonly DateField[] }

function CalendarOfField({ idProject, view, onChange, label, onError, field, fields }: CalendarOfFieldProps) {
  const today = useToday()
  const [search, setSearch] = useSearch()
  const sight = readSight(search.get('date'), today)
  const first = useMemo(() => firstWeekday(), [])
  const days = useMemo(() => daysOf({ span: sight.span, day: sight.day }, first), [sight.span, sight.day, first])
  const go = (to: Sight) => setSearch(now => withParameters(now, { date: writeSight(to, today) }))
  const turn = (by: 1 | -1) => {
    const to = stepped(sight, by)
    if (to) go(to)
    return to !== undefined
  }
  const { shown, isLoading, isOfOtherDays, problem, refetch, moves, refused } = useDatedTickets({
    idProject,
    request: calendarRequest(idProject, view, field, days),
    viewQuery: view.query,
    wordsOf: days => formatDay(days[field.key] ?? ''),
    onError,
  })
  const title = sightName(sight, days)
  return (
    <>
      <CalendarTools
        idProject={idProject}
        view={view}
        field={field}
        fields={fields}
        sight={sight}
        today={today}
        title={title}
        onGo={go}
        onField={group => onChange({ group })}
        shown={isOfOtherDays ? undefined : shown}
      />
      {problem ? (
        <UnreadTickets problem={problem} onRetry={refetch} />
      ) : (
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
          isLoading={isLoading}
          moves={moves}
          refused={refused}
          onTurn={turn}
        />
      )}
      <ShownCount area="calendar" isLoading={isLoading} title={title} shown={shown} />
    </>
  )
}
