import { type Db, run, statement } from '../../../../db/db.ts'
import { int8 } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import type { ManyTickets } from '../../../../lib/changes.ts'

// What the caller watches is a setting of theirs and no change of the tickets: it has no history. What it was before is kept for a revert.

interface WatchChange {
  ticketId: number
  /** Whether the caller watches it before the change. */
  watched: boolean
}

// A revert puts back the caller's row as it was, or none: a row says that the person decided, and without one it depends on who they are.
const write = statement(
  { id: int8 },
  `
  with change_set as materialized (select coalesce($3::bigint, nextval('change_set_id')) as id),
  listed as (
    insert into change_set_summary (organization_id, id, project_id, user_id, what, tickets)
    select $1, change_set.id, $4::bigint, $2::bigint, $5::text, $6::int from change_set
    on conflict (organization_id, id) do update set tickets = change_set_summary.tickets + excluded.tickets
  ), present as materialized (
    select w.ticket_id, w.watched, was.enabled, was.own from unnest($7::bigint[], $8::boolean[]) as w (ticket_id, watched)
    left join subscription was on was.organization_id = $1 and was.ticket_id = w.ticket_id and was.user_id = $2
  ), kept as (
    insert into change_set_watching (organization_id, change_set_id, ticket_id, user_id, watched, enabled, own)
    select $1, change_set.id, present.ticket_id, $2, present.watched, present.enabled, present.own from change_set cross join present
  ), wanted as materialized (
    select p.ticket_id, case when $9::bigint is null then not p.watched else earlier.enabled end as enabled,
      case when $9::bigint is null then true else earlier.own end as own
    from present p
    left join change_set_watching earlier on earlier.organization_id = $1 and earlier.change_set_id = $9 and earlier.ticket_id = p.ticket_id
  ), removed as (
    delete from subscription s using wanted
    where s.organization_id = $1 and s.ticket_id = wanted.ticket_id and s.user_id = $2 and wanted.enabled is null
  ), written as (
    insert into subscription (organization_id, ticket_id, user_id, enabled, own)
    select $1, wanted.ticket_id, $2, wanted.enabled, wanted.own from wanted where wanted.enabled is not null
    on conflict (organization_id, ticket_id, user_id) do update set enabled = excluded.enabled, own = excluded.own
  )
  select id from change_set`,
)

/**
 * Has the caller watch these tickets, or stop watching them, as part of a change set, which it returns. `alone` is how many of the tickets nothing else
 * of the change set concerns; `reverts` the change set that is reverted.
 */
export async function setWatching(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  changes: readonly WatchChange[],
  { what, id, alone, reverts }: Pick<ManyTickets, 'what' | 'id'> & { alone: number; reverts: number | undefined },
) {
  const columns = [changes.map(({ ticketId }) => ticketId), changes.map(({ watched }) => watched)]
  const [written] = await run(db, write, [organizationId, userId, id ?? null, projectId, what, alone, ...columns, reverts ?? null])
  return (written as { id: number }).id
}
