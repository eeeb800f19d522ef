import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startServer, unguarded } from '../../../test/servers/server.ts'
import { reasons } from '../guard/across-organizations.ts'
import { distributionSteps, planDistribution } from './distribution.ts'

// On a cluster every table is already in its place.
test.skipIf(inject('servers').length > 1)(
  'every table has its place, and nothing in the catalog stands against distributing by organization',
  async () => {
    await using server = await startServer()
    const plan = await planDistribution(server.db)
    expect(plan.faults).toEqual([])
    expect(plan.reference).toEqual(['installation', 'organization', 'property_type', 'user_account'])
    expect(plan.local).toEqual(['backup_run', 'captcha_use', 'known_device', 'migration', 'reset_code', 'throttle'])
    expect(plan.distributed).toContain('ticket')

    const withColumn = await server.sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`
    expect(plan.distributed.toSorted()).toEqual(withColumn.map(({ name }) => name).sort())
    const after = (later: string, earlier: string) => plan.distributed.indexOf(later) > plan.distributed.indexOf(earlier)
    expect([
      after('ticket', 'template'),
      after('template', 'state'),
      after('state', 'project'),
      after('assignment', 'project_member'),
    ]).toEqual(Array(4).fill(true))
    const statements = distributionSteps(plan).map(({ statement }) => statement)
    const having = (start: string) => statements.flatMap((statement, index) => (statement.startsWith(start) ? [index] : []))
    expect(having('alter table').length).toBe(1 + 2 * plan.foreignKeys.length)
    expect(having('drop trigger').length).toBe(plan.triggers.length)
    expect(Math.max(...having('drop trigger'))).toBeLessThan(Math.min(...having('select create_distributed_table')))
    expect(having('CREATE TRIGGER').length).toBe(plan.triggers.length)
    // Every foreign key is away while tables move, and is back in the end.
    const moves = [...having('select create_reference_table'), ...having('select create_distributed_table')]
    const drops = statements.flatMap((statement, index) => (statement.includes(' drop constraint ') ? [index] : []))
    const adds = statements.flatMap((statement, index) => (statement.includes(' add constraint ') ? [index] : []))
    expect(drops.length).toBe(plan.foreignKeys.length)
    expect(Math.max(...drops)).toBeLessThan(Math.min(...moves))
    expect(Math.max(...moves)).toBeLessThan(Math.min(...adds))
    // The copies that Citus leaves behind in the coordinator's own tables go.
    const copies = having('select truncate_local_data_after_distributing_table')
    expect(copies.length).toBe(moves.length)
    expect(Math.min(...copies)).toBeGreaterThan(Math.max(...moves))
    // Citus plans no statement of a function in SQL that has parameters, and breaks a CASE that compares one.
    const functions = await server.sql<{ name: string }>`
    select proname as name from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and (l.lanname = 'sql' and p.provolatile <> 'i' or l.lanname = 'plpgsql' and p.prosrc ~* '\\mcase\\s+\\w+\\s+when')`
    expect(functions).toEqual([])
    expect(statements).toContain(`select create_distributed_table('ticket', 'organization_id', colocate_with => '${plan.distributed[0]}')`)
  },
)

test('a key that cannot be distributed is named', async () => {
  await using server = await startServer()
  await using db = unguarded(server.db)
  await sql`create table stray (organization_id bigint, id bigint primary key, ticket_id bigint)`.execute(db)
  await sql`create table outside (organization bigint, ticket_id bigint, foreign key (organization, ticket_id) references ticket)`.execute(
    db,
  )
  await sql`create table careless (organization_id bigint, id bigint, ticket_id bigint, primary key (organization_id, id),
    foreign key (organization_id, ticket_id) references ticket on delete set null)`.execute(db)
  await sql`create table crossed (organization_id bigint, ticket_id bigint, foreign key (ticket_id, organization_id) references ticket)`.execute(
    db,
  )
  expect((await planDistribution(db)).faults.toSorted()).toEqual([
    expect.stringMatching(/^careless: .* would empty organization_id/),
    expect.stringMatching(/^crossed: .* does not pair organization_id/),
    expect.stringMatching(/^outside: .* leads from a table without an organization to ticket/),
    'stray: the unique index stray_pkey does not contain organization_id',
  ])
})

test('the list of statements over all organizations is the one in across-organizations.ts, and each of its reasons is used', () => {
  const source = fileURLToPath(new URL('../..', import.meta.url))
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('across-organizations'),
  )
  const texts = files.map(name => ({ name, text: readFileSync(path.join(source, name), 'utf8') }))
  expect(texts.filter(({ text }) => text.includes('/* all organizations:')).map(({ name }) => name)).toEqual([])
  const used = new Set(
    texts.flatMap(({ text }) =>
      [...text.matchAll(/(?:acrossOrganizations|marker)\((?:[^()']+\? )?'([^']+)'(?: : '([^']+)')?\)/g)].flatMap(match =>
        match.slice(1).filter(reason => reason !== undefined),
      ),
    ),
  )
  expect([...used].sort()).toEqual(Object.keys(reasons).sort())
})

test('no migration since the first clusters adds a column together with a key or a check, which Citus refuses', () => {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url))
  const later = readdirSync(folder).filter(name => name > '0032')
  expect(later.length).toBeGreaterThan(0)
  const refused = later.filter(name => {
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll(/--.*$/gm, '')
    return /\badd column\b[^;]*\b(references|unique|primary key|check)\b/i.test(text)
  })
  expect(refused).toEqual([])
})
