import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int4Array, int8 } from '../../../db/shape.ts'

/** Wrong counters of ticket_subordinate, ticket_tally and root_tally; all lists are empty when every counter is right. */
export async function recount(db: Db, organizationId: number) {
  const subordinates = await queryRows(db, { ticket_id: int8, counted: int4Array, actual: int4Array })`
    with actual as (
      select t.parent_id as ticket_id, count(*) filter (where s.phase = 1)::int as proposed, count(*) filter (where s.phase = 2)::int as active,
        count(*) filter (where s.phase = 3)::int as inactive
      from ticket t join state s on s.organization_id = t.organization_id and s.id = t.state_id
      where t.organization_id = ${organizationId} and t.parent_id is not null and t.trashed_at is null group by t.parent_id
    ), counted as (select * from ticket_subordinate where organization_id = ${organizationId}),
    compared as (
      select ticket_id, array[coalesce(c.proposed, 0), coalesce(c.active, 0), coalesce(c.inactive, 0)] as counted,
        array[coalesce(a.proposed, 0), coalesce(a.active, 0), coalesce(a.inactive, 0)] as actual
      from counted c full join actual a using (ticket_id)
    )
    select * from compared where counted <> actual order by ticket_id`
  const tally = await queryRows(db, { project_id: int8, template_id: int8, state_id: int8, root: bool, counted: int4, actual: int4 })`
    with actual as (
      select project_id, template_id, state_id, parent_id is null as root, count(*)::int as tickets from ticket
      where organization_id = ${organizationId} and trashed_at is null group by 1, 2, 3, 4
    ), counted as (
      select project_id, template_id, state_id, root, sum(tickets)::int as tickets from ticket_tally
      where organization_id = ${organizationId} group by 1, 2, 3, 4
    )
    select project_id, template_id, state_id, root, coalesce(c.tickets, 0) as counted, coalesce(a.tickets, 0) as actual
    from counted c full join actual a using (project_id, template_id, state_id, root)
    where coalesce(c.tickets, 0) <> coalesce(a.tickets, 0) order by 1, 2, 3, 4`
  const roots = await queryRows(db, { project_id: int8, counted: int4, actual: int4 })`
    with actual as (
      select project_id, count(*)::int as tickets from ticket
      where organization_id = ${organizationId} and parent_id is null and trashed_at is null group by 1
    ), counted as (select project_id, sum(tickets)::int as tickets from root_tally where organization_id = ${organizationId} group by 1)
    select project_id, coalesce(c.tickets, 0) as counted, coalesce(a.tickets, 0) as actual
    from counted c full join actual a using (project_id) where coalesce(c.tickets, 0) <> coalesce(a.tickets, 0) order by 1`
  return { subordinates, tally, roots }
}

/** Recounts and corrects the counters; waits for current ticket writers and blocks new ones. Call in a transaction. */
export async function repairCounters(db: Db, organizationId: number) {
  await sql`lock table ticket in share mode`.execute(db)
  await sql`delete from ticket_subordinate where organization_id = ${organizationId}`.execute(db)
  await sql`
    insert into ticket_subordinate (organization_id, ticket_id, proposed, active, inactive)
    select t.organization_id, t.parent_id, count(*) filter (where s.phase = 1), count(*) filter (where s.phase = 2), count(*) filter (where s.phase = 3)
    from ticket t join state s on s.organization_id = t.organization_id and s.id = t.state_id
    where t.organization_id = ${organizationId} and t.parent_id is not null and t.trashed_at is null group by t.organization_id, t.parent_id`.execute(
    db,
  )
  await sql`delete from ticket_tally where organization_id = ${organizationId}`.execute(db)
  await sql`
    insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    select organization_id, project_id, template_id, state_id, parent_id is null, 0, count(*) from ticket
    where organization_id = ${organizationId} and trashed_at is null group by 1, 2, 3, 4, 5`.execute(db)
  await sql`delete from root_tally where organization_id = ${organizationId}`.execute(db)
  await sql`
    insert into root_tally (organization_id, project_id, slot, tickets)
    select organization_id, project_id, 0, count(*) from ticket
    where organization_id = ${organizationId} and parent_id is null and trashed_at is null group by 1, 2`.execute(db)
}
