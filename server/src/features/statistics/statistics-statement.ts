import type { Response } from '@tessera/contract/call'
import type { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { type Statement, unpreparedStatement } from '../../db/db.ts'
import { json, type RowOf } from '../../db/shape.ts'
import { startOfDay } from '../search/dates/periods.ts'
import { joinState } from '../tickets/pages/list-rows.ts'

type Statistics = Response<typeof getProjectStatistics>
const row = {
  days: json<Statistics['Days']>(),
  open: json<Statistics['Open']>(),
  closed: json<Statistics['Closed']>(),
  states: json<Statistics['States']>(),
}

// The parts of the statement, in their order. $1 is the organization, $2 the project, $3 the caller, $4 the first day and $5 the last, $6 the time zone.
// There may be millions of moves from state to state: they are grouped by ticket and by day, and what follows reads only that.

const found = (condition: string) => `
  found as materialized (
    select t.id, t.created_at, st.phase from ticket t ${joinState}
    where t.organization_id = $1 and t.project_id = $2 and t.trashed_at is null and ${condition}
  )`

/**
 * The phase of each state, of a deleted one from history. One object: joined as rows, PostgreSQL would read all changes once for each state.
 */
const phaseOf = `
  phases as materialized (
    select st.id::text as id, st.phase::int as phase from state st where st.organization_id = $1 and st.project_id = $2
    union all
    (select distinct on (c.subject_id) c.subject_id::text, c.before::int from change c
    where c.organization_id = $1 and c.project_id = $2 and c.subject = 'state' and c.field = 'Phase' and c.after is null and c.before in ('1', '2', '3')
      and not exists (select 1 from state st where st.organization_id = $1 and st.id = c.subject_id)
    order by c.subject_id, c.id desc)
  ), phase_of as materialized (
    select jsonb_object_agg(id, phase) as state from phases where id is not null
  )`

const moves = `
  moves as materialized (
    select * from (
      select found.*, c.id as n, c.changed_at as at, c.before as left_state, c.after as entered_state, ((select state from phase_of) -> c.before)::int as before, ((select state from phase_of) -> c.after)::int as after
      from change c join found on found.id = c.ticket_id
      where c.organization_id = $1 and c.project_id = $2 and c.ticket_id is not null and c.field = 'State' offset 0
    ) move where before is not null and after is not null
  )`

/** Per ticket that has moved: the phase in which it began, which is the one that its first move left, and when it was closed and activated. A phase is less than 4. */
const lives = `
  lives as materialized (
    select id, created_at, phase, (min(n * 4 + before) % 4)::int as began,
      max(at) filter (where after = 3 and before <> 3) as closed_at, min(at) filter (where after = 2 and before <> 2) as active_at
    from moves group by id, created_at, phase
  )`

/** When each day of the period starts, and the day after it. */
const period = `
  period as materialized (
    select array_agg(start order by start) as starts, min(start) as starts_at, max(start) as ends_at
    from generate_series($4::date::timestamp, $5::date::timestamp + interval '1 day', interval '1 day') day
    cross join lateral (select ${startOfDay('day', '$6')} as start) each
  )`

/**
 * Tickets by the day on which they came from one phase into another, as a number of the period; 0 is before it. A new ticket comes from no phase: all are
 * counted as if they had begun in their present phase, then those that have moved since are counted where they began instead.
 */
const steps = `
  steps as (
    select width_bucket(at, (select starts from period)) as day, before, after, count(*) as tickets from moves where before <> after group by 1, 2, 3
    union all
    select width_bucket(created_at, (select starts from period)), null, phase, count(*) from found group by 1, 3
    union all
    select day, null, began.phase, sum(began.tickets) from (
      select width_bucket(created_at, (select starts from period)) as day, began, phase, count(*) as tickets from lives where began <> phase group by 1, 2, 3
    ) moved cross join lateral (values (moved.began, tickets), (moved.phase, - tickets)) began (phase, tickets) group by 1, 3
  )`

/** Each day with what happened on it, and with how many tickets were in each phase at its end: the sum of all days until then. */
const days = `
  daily as materialized (
    select $4::date + day - 1 as day, sum(tickets) filter (where before is null) as created,
      sum(tickets) filter (where after = 3) as closed, sum(tickets) filter (where before = 3) as reopened,
      sum(case when after = 1 then tickets when before = 1 then - tickets end) as proposed,
      sum(case when after = 2 then tickets when before = 2 then - tickets end) as active,
      sum(case when after = 3 then tickets when before = 3 then - tickets end) as inactive
    from steps group by 1
  ), days as (
    select d.day, coalesce(daily.created, 0) as created, coalesce(daily.closed, 0) as closed, coalesce(daily.reopened, 0) as reopened,
      sum(coalesce(daily.proposed, 0)) over w as proposed, sum(coalesce(daily.active, 0)) over w as active, sum(coalesce(daily.inactive, 0)) over w as inactive
    from (select generate_series($4::date - 1, least($5::date, (now() at time zone $6)::date), interval '1 day')::date as day) d left join daily on daily.day = d.day
    window w as (order by d.day)
  )`

/** The tickets that were closed in the period and still are. */
const closed = `
  closed as (
    select * from (
      select f.id, f.created_at, greatest(m.closed_at, case when coalesce(m.began, f.phase) = 3 then f.created_at end) as closed_at,
        least(m.active_at, case when m.began = 2 then f.created_at end) as active_at
      from found f left join lives m on m.id = f.id where f.phase = 3
    ) life where closed_at >= (select starts_at from period) and closed_at < (select ends_at from period)
  )`

const daysUntil = (end: string) => `(greatest(0, extract(epoch from ${end} - created_at)::float8) / 86400)`
/**
 * How long each of those tickets was in each state: the times at which it left the state, minus those at which it entered it. They are counted from the
 * ticket's creation, so that a state in which it began was entered at 0.
 */
const stays = `
  stays as (
    select id, state, phase, greatest(0, sum(seconds)) / 86400 as days from (
      select id, left_state as state, before as phase, extract(epoch from at - created_at)::float8 as seconds from moves where before <> 3
      union all
      select id, entered_state, after, extract(epoch from created_at - at)::float8 from moves where after <> 3
    ) moved where id in (select id from closed) group by id, state, phase
  ), by_state as (
    select state, phase, count(*) as tickets, percentile_cont(array[0.5, 0.85]) within group (order by days) as spread from stays group by state, phase
  ), states as (
    select coalesce(st.name, (select c.before from change c where c.organization_id = $1 and c.subject = 'state' and c.subject_id = b.state::bigint
        and c.field = 'Name' and c.after is null order by c.id desc limit 1)) as name, st.position, b.*
    from by_state b left join state st on st.organization_id = $1 and st.id = b.state::bigint
  )`

const aged = `aged as materialized (select ${daysUntil('now()')} as age from found where phase <> 3)`
const spread = (days: string, condition: string) => `json_build_object(
  'Median', (percentile_cont(0.5) within group (order by ${days}) filter (where ${condition})),
  'P85', (percentile_cont(0.85) within group (order by ${days}) filter (where ${condition})))`
/** How many tickets have each age, in one pass. */
const ages = [1, 7, 30, 90, 365, null].map((upTo, index, all) => {
  const conditions = [index > 0 && `age > ${all[index - 1]}`, upTo !== null && `age <= ${upTo}`].filter(Boolean)
  return `json_build_object('UpToDays', ${upTo}, 'Tickets', count(*) filter (where ${conditions.join(' and ')}))`
})

/** The charts of the tickets that meet the condition, which is about ticket `t` and its state `st`. */
export function statisticsStatement(condition: string): Statement<RowOf<typeof row>> {
  return unpreparedStatement(
    row,
    `with ${[found(condition), phaseOf, moves, lives, period, steps, days, closed, stays, aged].join(', ')}
    select
      (select coalesce(json_agg(json_build_object('Day', to_char(day, 'YYYY-MM-DD'), 'Created', created, 'Closed', closed, 'Reopened', reopened,
        'Proposed', proposed, 'Active', active, 'Inactive', inactive) order by day), '[]') from days where day >= $4::date) as days,
      (select json_build_object('Tickets', count(*), 'Age', ${spread('age', 'true')}, 'Ages', json_build_array(${ages.join(', ')})) from aged) as open,
      (select json_build_object('Tickets', count(*), 'ToActive', ${spread(daysUntil('active_at'), 'active_at is not null')},
        'ToInactive', ${spread(daysUntil('closed_at'), 'true')}) from closed) as closed,
      (select coalesce(json_agg(json_build_object('State', name, 'Phase', phase, 'Tickets', tickets, 'Median', spread[1], 'P85', spread[2])
        order by position nulls last, name), '[]') from states where name is not null) as states
    from (select $3::bigint as id) caller`,
  )
}
