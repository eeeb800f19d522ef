import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Connection, connect } from '../../../src/db/connections/connect.ts'
import type { Db } from '../../../src/db/db.ts'
import { repairCounters } from '../../../src/features/tickets/counting/recount.ts'
import { hashPassword } from '../../../src/lib/passwords/passwords.ts'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../fixtures/factories.ts'

/** Makes this many organizations, each with a person, a project and tickets; every tenth ticket has three children. */
export async function fillOrganizations(db: Db, organizations: number, tickets: number) {
  const passwordHash = await hashPassword('correct horse battery')
  const made: { id: number; login: string; projectId: number; template: number; first: number }[] = []
  for (let number = 0; number < organizations; number++) {
    const id = await makeOrganization(db, `Organization ${number}`)
    const login = `person-of-${number}`
    const user = await makeUser(db, id, { login, passwordHash, admin: true, super: number === 0 })
    const project = await makeProject(db, id)
    await makeMember(db, id, project.projectId, user, 'all')
    const { rows } = await sql<{ id: number }>`
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${id}::bigint, ${project.projectId}::bigint, ${project.templates.bug}::bigint, ${project.states.open}::bigint, 'Ticket number ' || i
      from generate_series(1, ${tickets}::int) i returning id`.execute(db)
    const first = rows[0]?.id as number
    await sql`
      update ticket set parent_id = id - (id - ${first}::bigint) % 10
      where organization_id = ${id} and (id - ${first}::bigint) % 10 in (1, 2, 3)`.execute(db)
    await sql`
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field)
      select organization_id, nextval('change_set_id'), 'ticket', id, project_id, id, 'Ticket' from ticket where organization_id = ${id}`.execute(
      db,
    )
    await sql`
      insert into comment (organization_id, ticket_id, author_id, text)
      select organization_id, id, ${user}::bigint, 'Seen with number ' || id from ticket where organization_id = ${id} and id % 5 = 0`.execute(
      db,
    )
    await db.transaction().execute(transaction => repairCounters(transaction, id))
    made.push({ id, login, projectId: project.projectId, template: project.templates.bug, first })
  }
  return made
}

/** What each table of the product holds: the number of rows, and a digest of them in any order. */
export async function contentsOf(connection: Connection) {
  const db = connect(connection, { poolSize: 1, prepare: false, noTimeLimits: true })
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`.execute(db)
    const contents: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db)
      const digest = createHash('sha256')
      for (const row of rows.map(each => each.row).sort()) digest.update(row)
      contents[name] = `${rows.length} rows ${digest.digest('hex').slice(0, 12)}`
    }
    return contents
  } finally {
    await db.destroy()
  }
}

/** On which port the rows of an organization are. */
export async function portOf(db: Db, organization: number) {
  const { rows } = await sql<{ port: number }>`
    select nodeport as port from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('ticket', ${sql.lit(organization)})`.execute(db)
  return rows[0]?.port
}
