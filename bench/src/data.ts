import { allPermissions } from '@tessera/contract/permissions'
import { connect } from '@tessera/server/db/connections/connect'
import type { Db } from '@tessera/server/db/db'
import type { Connection } from '@tessera/server/db/embedded/connection'
import { permissionMask } from '@tessera/server/lib/authorize'
import { hashPassword } from '@tessera/server/lib/passwords/passwords'
import { sql } from 'kysely'
import { makeSearchRows, makeWords, textsOf, withoutSearchIndexes } from './find/data.ts'

export const password = 'correct horse battery'

/** Facts about the data that the scenarios need. */
export interface Dataset {
  tickets: number
  organizationId: number
  projectId: number
  templateId: number
  /** Ids of tickets, without a gap. */
  first: number
  last: number
  /** Tickets with children: `first + step * n` for n below `count`. */
  parents: { step: number; count: number }
  /** Who works: an administrator of the organization. */
  login: string
  /** People who only sign in, `bench-{id}`, without a gap. */
  people: { first: number; last: number }
}

// Each hundred tickets: 70 roots; 20 children of the first two; 8 below those; 2 below these. So 30 % are children, on four levels.
const blockSize = 100
const parentInBlock = `case when i % 100 < 70 then null when i % 100 < 90 then (i % 100 - 70) / 10
  when i % 100 < 98 then 70 + (i % 100 - 90) / 4 else 90 + (i % 100 - 98) end`

/** Fills an empty installation: the same rows for the same number, history and counters as the product leaves them. */
export async function generate(connection: Connection, tickets: number): Promise<Dataset> {
  const db = connect(connection, { poolSize: 1, noTimeLimits: true })
  try {
    const people = await makePeople(db)
    // Constraints hold by construction: checking some millions of rows would take longer than creating them.
    await sql`set session_replication_role = replica`.execute(db)
    const dataset = await makeProject(db, tickets, people)
    await makeWords(db)
    await withoutSearchIndexes(db, async () => {
      await makeTickets(db, dataset)
      await makeSearchRows(db, dataset.organizationId)
    })
    await makeNeighbors(db)
    await sql`set session_replication_role = origin`.execute(db)
    await sql`vacuum (analyze)`.execute(db)
    await sql`checkpoint`.execute(db)
    return dataset
  } finally {
    await db.destroy()
  }
}

/** After an import: the project of this installation that holds the most tickets. */
export async function describeImported(connection: Connection): Promise<Dataset> {
  const db = connect(connection, { poolSize: 1, noTimeLimits: true })
  try {
    const people = await makePeople(db)
    const { rows } = await sql<Omit<Dataset, 'parents' | 'login' | 'people'> & { parent: number }>`/* all organizations: operator */
      select t.organization_id as "organizationId", t.project_id as "projectId", min(t.template_id) as "templateId", count(*)::int as tickets,
        min(t.id) as first, max(t.id) as last, coalesce(min(t.parent_id), min(t.id)) as parent
      from ticket t group by 1, 2 order by count(*) desc limit 1`.execute(db)
    const [project] = rows
    if (!project) throw new Error('the import brought no ticket')
    const { parent, ...rest } = project
    await sql`vacuum (analyze)`.execute(db)
    return { ...rest, parents: { step: parent - rest.first, count: 1 }, ...people }
  } finally {
    await db.destroy()
  }
}

/** In the organization: an administrator and a hundred others who hold the same password. */
async function makePeople(db: Db) {
  const hash = await hashPassword(password)
  const { rows } = await sql<{ id: number }>`
    insert into user_account (login, full_name, email, password_hash)
    select 'bench-new-' || i, 'Person ' || i, 'person-' || i || '@example.com', ${hash} from generate_series(1, 101) i order by i returning id`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  await sql`update user_account set login = 'bench-' || id where id = any(${ids})`.execute(db)
  await sql`/* all organizations: operator */
    insert into organization_member (organization_id, user_id, admin) select o.id, u.id, u.id = ${ids[0]} from organization o, unnest(${ids}::bigint[]) u (id)`.execute(
    db,
  )
  return { login: `bench-${ids[0]}`, people: { first: ids[1] as number, last: ids[100] as number } }
}

async function makeProject(db: Db, tickets: number, people: Pick<Dataset, 'login' | 'people'>): Promise<Dataset> {
  const id = async (statement: ReturnType<typeof sql<{ id: number }>>) => (await statement.execute(db)).rows[0]?.id as number
  const organizationId = await id(sql<{ id: number }>`select id from organization`)
  const projectId = await id(
    sql<{
      id: number
    }>`insert into project (organization_id, title, short_code) values (${organizationId}, 'Benchmark', 'BENCH') returning id`,
  )
  const project = { organization_id: organizationId, project_id: projectId }
  const states = await db
    .insertInto('state')
    .values(
      Object.entries({ Proposed: 1, Open: 2, Doing: 2, Review: 2, Done: 3, Rejected: 3 }).map(([name, phase], position) => ({
        ...project,
        name,
        phase,
        position,
      })),
    )
    .returning('id')
    .execute()
  const templates = await db
    .insertInto('template')
    .values(['Story', 'Task', 'Bug'].map((name, position) => ({ ...project, name, entry_state_id: states[0]?.id as number, position })))
    .returning('id')
    .execute()
  const fields = await db
    .insertInto('field')
    .values([
      { ...project, key: 'description', label: 'Description', type_id: 1, position: 0 },
      { ...project, key: 'size', label: 'Size', type_id: 4, position: 1 },
      {
        ...project,
        key: 'priority',
        label: 'Priority',
        type_id: 2,
        position: 2,
        options: JSON.stringify(['low', 'high'].map(value => ({ value, label: value }))),
      },
    ])
    .returning('id')
    .execute()
  await db
    .insertInto('template_field')
    .values(
      templates.flatMap(template =>
        fields.map((field, position) => ({ ...project, template_id: template.id, field_id: field.id, position })),
      ),
    )
    .execute()
  await db
    .insertInto('role')
    .values(['Responsible', 'Assignee', 'Reviewer'].map((name, position) => ({ ...project, name, position })))
    .execute()
  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${organizationId}, ${projectId}, id, ${permissionMask(allPermissions)} from generate_series(${sql.lit(people.people.first - 1)}, ${sql.lit(people.people.first + 20)}) id`.execute(
    db,
  )
  return {
    tickets,
    organizationId,
    projectId,
    templateId: templates[0]?.id as number,
    first: 1,
    last: tickets,
    parents: { step: blockSize, count: Math.floor(tickets / blockSize) },
    ...people,
  }
}

/** Two hundred other organizations with five projects each: in a database of one, the planner would read whole tables. */
async function makeNeighbors(db: Db) {
  await sql`/* all organizations: operator */
    with made as (
      insert into organization (title) select 'Neighbor ' || i from generate_series(1, 200) i returning id
    ), people as (
      insert into user_account (login) select 'neighbor-' || i from generate_series(1, 50) i returning id
    ), projects as (
      insert into project (organization_id, title, short_code) select made.id, 'Project ' || i, 'P' || i from made, generate_series(1, 5) i
      returning organization_id, id
    ), states as (
      insert into state (organization_id, project_id, name, phase, position)
      select organization_id, id, 'State ' || i, 1 + i % 3, i from projects, generate_series(0, 5) i returning organization_id, project_id, id, position
    ), tallied as (
      insert into root_tally (organization_id, project_id, slot, tickets) select organization_id, id, slot, 0 from projects, generate_series(0, 7) slot
    ), roles as (
      insert into role (organization_id, project_id, name, position)
      select organization_id, id, 'Role ' || i, i from projects, generate_series(0, 2) i
    ), fields as (
      insert into field (organization_id, project_id, key, label, type_id, position)
      select organization_id, id, 'field_' || i, 'Field ' || i, 3, i from projects, generate_series(0, 2) i
    ), members as (
      insert into organization_member (organization_id, user_id) select made.id, people.id from made, people
    )
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select organization_id, project_id, 'Template', id, 0 from states where position = 0`.execute(db)
}

/** Rows by PostgreSQL itself, from the number of each ticket. */
async function makeTickets(db: Db, { organizationId, projectId, ...dataset }: Dataset) {
  const [o, p, tickets, person] = [organizationId, projectId, dataset.tickets, dataset.people.first - 1].map(id => sql.lit(id))
  const firstOf = async (table: string) =>
    (await sql<{ id: number }>`select min(id) as id from ${sql.table(table)} where organization_id = ${o}`.execute(db)).rows[0]
      ?.id as number
  const [state, template, field, role] = await Promise.all([firstOf('state'), firstOf('template'), firstOf('field'), firstOf('role')])
  await sql`
    insert into ticket (organization_id, id, project_id, template_id, state_id, parent_id, title, created_at, created_by)
    select ${o}, i + 1, ${p}, ${template} + i % 3, ${state} + i * 7 % 6, i - i % 100 + 1 + ${sql.raw(parentInBlock)},
      'Ticket ' || i || ': ' || (array['Wire', 'Paint', 'Measure', 'Order', 'Replace', 'Document', 'Test'])[1 + i % 7] || ' the '
        || (array['frame', 'engine', 'cabin', 'manual', 'invoice'])[1 + i % 5] || ' ' || substr(md5(i::text), 1, 8),
      now() - make_interval(secs => ${tickets} - i), ${person} + i % 21
    from generate_series(0, ${tickets} - 1) i`.execute(db)
  await sql`select setval(pg_get_serial_sequence('ticket', 'id'), ${tickets})`.execute(db)
  await sql`
    insert into ticket_subordinate (organization_id, ticket_id, proposed, active, inactive)
    select ${o}, t.parent_id, count(*) filter (where s.phase = 1), count(*) filter (where s.phase = 2), count(*) filter (where s.phase = 3)
    from ticket t join state s on s.organization_id = ${o} and s.id = t.state_id
    where t.organization_id = ${o} and t.parent_id is not null group by t.parent_id`.execute(db)
  await sql`
    insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    select ${o}, ${p}, template_id, state_id, parent_id is null, id % 32, count(*) from ticket where organization_id = ${o} group by 3, 4, 5, 6`.execute(
    db,
  )
  await sql`
    insert into root_tally (organization_id, project_id, slot, tickets)
    select ${o}, ${p}, slot, sum(tickets) from ticket_tally where organization_id = ${o} and root group by slot`.execute(db)
  await sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${o}, i, ${field}, 'What to do: ' || text from ${textsOf(12, dataset.tickets, 0)}
    union all select ${o}, i, ${field} + 1, (i % 13)::text from generate_series(1, ${tickets}) i where i % 3 = 0`.execute(db)
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${o}, ${p}, i, ${person} + i * 11 % 21, ${role} + i % 3 from generate_series(1, ${tickets}) i where i % 5 <> 0`.execute(db)
  await sql`
    insert into comment (organization_id, ticket_id, author_id, text)
    select ${o}, i, ${person} + i * 5 % 21, 'Looked at it: ' || text from ${textsOf(8, dataset.tickets, 1)}`.execute(db)
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after, user_id)
    select ${o}, nextval('change_set_id'), 'ticket', id, ${p}, id, 'Ticket', title, created_by from ticket where organization_id = ${o} order by id`.execute(
    db,
  )
}
