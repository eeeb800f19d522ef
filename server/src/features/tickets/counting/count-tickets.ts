import { type Db, run, statement } from '../../../db/db.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'

/** The slot of ticket_tally and root_tally for this connection, so that connections do not wait for each other. */
export const tallySlot = 'pg_backend_pid() % 32'

/** Where a ticket is counted: among its parent's children and in the project's tally. */
export interface Counted {
  templateId: number
  stateId: number
  parentId: number | null
}

const countStatement = statement(
  {},
  `
  with delta as materialized (
    select * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) as d (template_id, state_id, parent_id, tickets)
  ), phase as materialized (
    select id, phase from state where organization_id = $1 and project_id = $2 and id = any($4::bigint[]) order by id for key share
  ), child as materialized (
    select d.parent_id, coalesce(sum(d.tickets) filter (where p.phase = 1), 0)::int as proposed,
      coalesce(sum(d.tickets) filter (where p.phase = 2), 0)::int as active, coalesce(sum(d.tickets) filter (where p.phase = 3), 0)::int as inactive
    from delta d join phase p on p.id = d.state_id where d.parent_id is not null group by d.parent_id
  ), fewer as (
    update ticket_subordinate c set proposed = c.proposed + child.proposed, active = c.active + child.active, inactive = c.inactive + child.inactive
    from child where c.organization_id = $1 and c.ticket_id = child.parent_id and least(child.proposed, child.active, child.inactive) < 0
    returning 1
  ), more as (
    insert into ticket_subordinate as c (organization_id, ticket_id, proposed, active, inactive)
    select $1, parent_id, proposed, active, inactive from child
    where least(proposed, active, inactive) >= 0 and (select count(*) from fewer) >= 0 order by parent_id
    on conflict (organization_id, ticket_id) do update set proposed = c.proposed + excluded.proposed,
      active = c.active + excluded.active, inactive = c.inactive + excluded.inactive
    returning 1
  ), rooted as (
    insert into root_tally as c (organization_id, project_id, slot, tickets)
    select $1, $2, ${tallySlot}, sum(tickets) from delta where parent_id is null and (select count(*) from more) >= 0 having sum(tickets) <> 0
    on conflict (organization_id, project_id, slot) do update set tickets = c.tickets + excluded.tickets
    returning 1
  )
  insert into ticket_tally as c (organization_id, project_id, template_id, state_id, root, slot, tickets)
  select $1, $2, template_id, state_id, parent_id is null, ${tallySlot}, sum(tickets) from delta
  where (select count(*) from rooted) >= 0
  group by template_id, state_id, parent_id is null having sum(tickets) <> 0 order by template_id, state_id, parent_id is null
  on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = c.tickets + excluded.tickets`,
)

/**
 * Updates the counters of children and the project's tally for the ticket changes of the same transaction; `null` means not counted: not
 * created yet, purged, or in the trash. Lock order everywhere: tickets, the project's row, ticket_subordinate, root_tally, ticket_tally; call it once, last.
 * A bulk change must lock its tickets before it looks for their children: `create-new-ticket` locks the parent.
 */
export async function countTickets(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  moves: readonly { before: Counted | null; after: Counted | null }[],
) {
  const deltas = new Map<string, Counted & { tickets: number }>()
  const add = (place: Counted | null, tickets: number) => {
    if (place === null) return
    const key = `${place.templateId},${place.stateId},${place.parentId}`
    const delta = deltas.get(key)
    if (delta) delta.tickets += tickets
    else deltas.set(key, { ...place, tickets })
  }
  for (const { before, after } of moves) {
    add(before, -1)
    add(after, 1)
  }
  const rows = [...deltas.values()].filter(({ tickets }) => tickets !== 0)
  if (rows.length === 0) return
  await run(db, countStatement, [
    organizationId,
    projectId,
    rows.map(({ templateId }) => templateId),
    rows.map(({ stateId }) => stateId),
    rows.map(({ parentId }) => parentId),
    rows.map(({ tickets }) => tickets),
  ])
}
