import { sql } from 'kysely'
import type { Db } from '../../src/db/db.ts'
import type { MadeProject } from '../fixtures/factories.ts'

/** Fills the project with this many tickets. Of every ten, seven are roots, and the first of these is the parent of the other three. */
export async function fill(
  db: Db,
  organizationId: number,
  { projectId, states, templates, fields, roles }: MadeProject,
  userId: number,
  tickets: number,
) {
  const [o, p, count, first] = [organizationId, projectId, tickets, projectId * 1_000_000].map(value => sql`${value}::bigint`)
  await sql`
    insert into ticket (organization_id, id, project_id, template_id, state_id, parent_id, title)
    select ${o}, ${first} + i, ${p}, ${sql.lit(templates.bug)}, ${sql.lit(states.open)}, case when i % 10 >= 7 then ${first} + i - i % 10 end, 'Ticket ' || i || case when i % 3 = 0 then ' third' else '' end
    from generate_series(0, ${count} - 1) i`.execute(db)
  await sql`
    insert into ticket_subordinate (organization_id, ticket_id, proposed) select ${o}, parent_id, count(*) from ticket
    where organization_id = ${o} and project_id = ${p} and parent_id is not null group by parent_id`.execute(db)
  await sql`
    insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    select ${o}, ${p}, template_id, state_id, parent_id is null, 0, count(*) from ticket
    where organization_id = ${o} and project_id = ${p} group by 3, 4, 5`.execute(db)
  await sql`
    insert into root_tally (organization_id, project_id, slot, tickets) select ${o}, ${p}, 0, tickets from ticket_tally
    where organization_id = ${o} and project_id = ${p} and root`.execute(db)
  // No measured call searches these texts, so they are inserted without the search's trigger, which would take long.
  await sql`alter table ticket_value disable trigger user`.execute(db)
  await sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) select ${o}, id, ${sql.lit(fields.note)}, 'note' from ticket
    where organization_id = ${o} and project_id = ${p}`.execute(db)
  await sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) select ${o}, id, ${sql.lit(fields.size)}, 'l' from ticket
    where organization_id = ${o} and project_id = ${p} and id % 2 = 0`.execute(db)
  await sql`alter table ticket_value enable trigger user`.execute(db)
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${o}, ${p}, id, ${sql.lit(userId)}, ${sql.lit(roles.assignee)} from ticket where organization_id = ${o} and project_id = ${p}`.execute(
    db,
  )
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field)
    select ${o}, id, 'ticket', id, ${p}, id, 'Ticket' from ticket where organization_id = ${o} and project_id = ${p}`.execute(db)
  return { root: projectId * 1_000_000 + Math.floor(tickets / 20) * 10 }
}
