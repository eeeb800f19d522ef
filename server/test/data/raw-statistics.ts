import { sql } from 'kysely'
import type { Db } from '../../src/db/db.ts'

interface DayRow {
  Day: string
  Created: number
  Closed: number
  Reopened: number
  Proposed: number
  Active: number
  Inactive: number
}

/** The days of a project, counted one by one from the raw history; written without a look at the call that tells them. No state may be deleted. */
export async function rawDays(db: Db, organization: number, project: number, from: string, to: string, zone: string) {
  const { rows } = await sql<DayRow>`
    with t as (
      select id, created_at, state_id from ticket where organization_id = ${organization} and project_id = ${project} and trashed_at is null
    ), stay as (
      select t.id, 0::bigint as n, t.created_at as since, coalesce(
        (select c.before::bigint from change c where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'State' order by c.id limit 1),
        t.state_id) as state
      from t
      union all
      select t.id, c.id, c.changed_at, c.after::bigint from t join change c on c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'State'
    ), step as (
      select stay.id, stay.n, (stay.since at time zone ${zone})::date as day, s.phase, lag(s.phase) over (partition by stay.id order by stay.n) as before
      from stay join state s on s.organization_id = ${organization} and s.id = stay.state
    ), stood as (
      select d::date as day, (select array_agg(x.phase) from (
        select distinct on (step.id) step.phase from step where step.day <= d::date order by step.id, step.n desc) x) as phases
      from generate_series(${from}::date, ${to}::date, interval '1 day') d
    )
    select to_char(day, 'YYYY-MM-DD') as "Day",
      (select count(*)::int from t where (t.created_at at time zone ${zone})::date = stood.day) as "Created",
      (select count(*)::int from step where step.day = stood.day and step.phase = 3 and step.before is distinct from 3) as "Closed",
      (select count(*)::int from step where step.day = stood.day and step.phase <> 3 and step.before = 3) as "Reopened",
      coalesce(cardinality(array_positions(phases, 1)), 0) as "Proposed",
      coalesce(cardinality(array_positions(phases, 2)), 0) as "Active",
      coalesce(cardinality(array_positions(phases, 3)), 0) as "Inactive"
    from stood order by day`.execute(db)
  return rows
}

/** In days: how old what is open is, and how long what was closed in these days, and stayed so, took to its first start and to its end. */
export async function rawTimes(db: Db, organization: number, project: number, from: string, to: string, zone: string) {
  const { rows } = await sql<{ age: number | null; started: number | null; ended: number | null }>`
    select
      case when s.phase <> 3 then extract(epoch from now() - t.created_at)::float8 / 86400 end as age,
      case when s.phase = 3 then (select extract(epoch from min(c.changed_at) - t.created_at)::float8 / 86400 from change c
        join state after on after.organization_id = c.organization_id and after.id = c.after::bigint and after.phase = 2
        where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'State') end as started,
      case when s.phase = 3 then (select extract(epoch from max(c.changed_at) - t.created_at)::float8 / 86400 from change c
        join state after on after.organization_id = c.organization_id and after.id = c.after::bigint and after.phase = 3
        join state before on before.organization_id = c.organization_id and before.id = c.before::bigint and before.phase <> 3
        where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'State'
        having (max(c.changed_at) at time zone ${zone})::date between ${from}::date and ${to}::date) end as ended
    from ticket t join state s on s.organization_id = t.organization_id and s.id = t.state_id
    where t.organization_id = ${organization} and t.project_id = ${project} and t.trashed_at is null`.execute(db)
  const present = (values: (number | null)[]) => values.filter(value => value !== null).sort((one, other) => one - other)
  const closed = rows.filter(({ ended }) => ended !== null)
  return {
    ages: present(rows.map(({ age }) => age)),
    toActive: present(closed.map(({ started }) => started)),
    toInactive: present(closed.map(({ ended }) => ended)),
  }
}

/** Between two neighbours in proportion, as spreadsheets do. */
export function percentile(sorted: readonly number[], share: number) {
  const at = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number]
  return below + (above - below) * (at - Math.floor(at))
}
