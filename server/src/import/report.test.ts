import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrganization } from '../../test/fixtures/factories.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { planImport } from './export/plan.ts'
import { outcome, rehearsal } from './report.ts'
import { importExport } from './write.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Imports exports of these rows into one project. */
async function setUp() {
  const organizationId = await makeOrganization(server.db)
  const target = { organizationId, shortCode: 'REP', title: 'Report' }
  let files = 0
  const run = async (lines: string[], isDry: boolean, wanted: Parameters<typeof planImport>[1] = {}) => {
    const file = `${server.system.config.data}/report${++files}.csv`
    writeFileSync(file, lines.join('\r\n'))
    const plan = await planImport(file, wanted)
    return { plan, imported: await importExport(server.db, { storage: server.system.storage, file, plan, target, isDry }) }
  }
  const dryRun = async (lines: string[], wanted: Parameters<typeof planImport>[1] = {}) => {
    const { plan, imported } = await run(lines, true, wanted)
    return rehearsal(plan, imported)
  }
  return { organizationId, run, dryRun }
}

test('a problem names the rows where it is, the first of many, and none if it belongs to none', async () => {
  const { run, dryRun } = await setUp()
  const header = 'Summary,Issue key,Issue Type,Status,Reporter,Foo Bar,Foo-Bar,Due Date'
  await run([header, 'a,R-1,Bug,Open,,1,2,16/Jul/15'], false, { also: ['Foo Bar'] })
  const late = Array.from({ length: 9 }, (_, index) => `t,R-${index + 2},Bug,Open,,,,soon`)
  const lines = await dryRun(
    [
      ...[header, 'b,R-20,Bug,Open,ann lee,,2,16/Jul/15', '', 'c,R-21,BUG,Open,ann lee,,,', 'd,R-22,Bug,Open,,,,', 'e,R-23,bug,OPEN,,,,'],
      ...['f,R-24,BUG,OPEN,,,,', 'g,R-25,Bug,OPEN,,,,', 'h,R-26,Bug,OPEN,,,,', ...late],
    ],
    { also: ['Foo-Bar'] },
  )
  expect(lines.at(-1)).toContain('1 new person without a sign-in (0 tickets below another, 3 types, 2 statuses); 6 problems.')
  expect((await dryRun([header, 'a,R-1,Bug,Open,,1,,'])).at(-1)).toContain('Would import 0 tickets (1 was already there), 0 comments')
  expect(lines.slice(0, -1).toSorted()).toEqual([
    "Foo-Bar: goes into the field 'Foo Bar', whose key is Foo_Bar",
    "row 6, Issue Type: 'bug' differs from 'Bug' in case only: it is imported as 'Bug'",
    "rows 10, 11, 12 and 6 more, Due Date: 9 values do not fit the field 'Due Date' (DATE): kept in the field 'Due Date (text)'",
    "rows 2 and 4, people: 'ann lee' gets the login 'ann_lee'",
    "rows 4 and 7, Issue Type: 'BUG' differs from 'Bug' in case only: it is imported as 'Bug'",
    "rows 6, 7, 8 and 9, Status: 'OPEN' differs from 'Open' in case only: it is imported as 'Open'",
  ])
})

test('tickets of an earlier import that are in the trash are counted, by the dry run too', async () => {
  const { organizationId, run, dryRun } = await setUp()
  const lines = ['Summary,Issue key,Issue Type,Status', 'a,R-1,Bug,Open', 'b,R-2,Bug,Open', 'c,R-3,Bug,Open']
  await run(lines, false)
  expect((await dryRun(lines)).at(-1)).toContain('Would import 0 tickets (3 were already there), 0 comments')
  await server.sql`
    update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organizationId} and external_id <> 'R-1'`
  const told = '0 tickets (3 were already there, 2 of them in the trash: restore them, or purge them and import again), 0 comments'
  expect((await dryRun(lines)).at(-1)).toContain(`Would import ${told}`)
  const { plan, imported } = await run(lines, false)
  expect(outcome(plan, imported, 'REP', 1).at(-1)).toContain(`Imported into REP: ${told}`)
})

test('an archived project takes no import, nor does one without roles', async () => {
  const { organizationId, run } = await setUp()
  const lines = ['Summary,Issue key,Issue Type,Status', 'a,R-1,Bug,Open']
  await run(lines, false)
  await server.sql`update project set archived_at = now() where organization_id = ${organizationId}`
  await expect(run([...lines, 'b,R-2,Bug,Open'], false)).rejects.toThrow('The project REP is archived: restore it first.')
  await server.sql`update project set archived_at = null where organization_id = ${organizationId}`
  await server.sql`delete from role where organization_id = ${organizationId}`
  await expect(run([...lines, 'b,R-2,Bug,Open'], false)).rejects.toThrow('The project has no role for assignees: add one first.')
  expect(await server.sql`select 1 from ticket where organization_id = ${organizationId}`).toHaveLength(1)
})

test('columns with values that are not read are named in one line, by a run too', async () => {
  const { run, dryRun } = await setUp()
  const extra = Array.from({ length: 23 }, (_, index) => `Extra ${index + 1}`)
  const lines = [
    `Summary,Issue key,Issue Type,Status,Reporter,Creator,Severity,Severity,Empty,,Labels,Labels,${extra}`,
    `a,R-1,Bug,Open,ann,bob,high,,,,red,blue,${extra}`,
    `b,R-2,Bug,Open,ann,bob,,low, ,x,,,${extra}`,
  ]
  const named = `Creator, Severity, (without a name), ${extra.slice(0, 17).join(', ')} and 6 more. --field "Column" imports one.`
  expect((await dryRun(lines)).slice(0, -1)).toEqual([`Columns left out: ${named}`])
  const brought = await dryRun(lines, { also: ['Severity', 'Creator', ...extra] })
  expect(brought.slice(0, -1)).toEqual(['Columns left out: (without a name). --field "Column" imports one.'])
  const { plan, imported } = await run(lines, false)
  expect(outcome(plan, imported, 'REP', 1).slice(0, -1)).toEqual([`Columns left out: ${named}`])
  expect((await dryRun(lines.map(line => line.split(',').slice(0, 5).join()))).slice(0, -1)).toEqual([])
})

test('a repeated column of which only one is read is a problem of the rows that lose a value', async () => {
  const { dryRun } = await setUp()
  const lines = await dryRun([
    'Summary,Issue key,Issue Type,Status,Status,Summary,Issue key,Status',
    'a,R-1,Bug,Open,Open,a,R-1,Done',
    'b,R-2,Bug,Open,,other,R-2,Open',
    'c,R-3,Bug,Open,Closed,c,R-9,Done',
  ])
  const text = 'appears more than once in the header, and only the first column is read: other values in these rows are left out'
  expect(lines.slice(0, -1)).toEqual([`rows 2 and 4, Status: ${text}`, `row 3, Summary: ${text}`, `row 4, Issue key: ${text}`])
})

test('control characters are not printed to the terminal', async () => {
  const { dryRun } = await setUp()
  const long = 'x'.repeat(300_000)
  const lines = await dryRun(['Summary,Issue key,Issue Type,Status,Bad\u001b[31m', `a,R-1,Bug,Open,${long}`], { also: ['Bad\u001b[31m'] })
  expect(lines[0]).toMatch(/^row 2, Bad \[31m: has 300000 bytes/)
  expect(lines.join('')).not.toContain('\u001b')
})

test('two imports at once into a project that does not exist yet make one project with the tickets of both', async () => {
  const { organizationId, run } = await setUp()
  const header = 'Summary,Issue key,Issue Type,Status'
  await Promise.all([run([header, 'a,R-1,Bug,Open'], false), run([header, 'b,R-2,Task,Done'], false)])
  const projects = await server.sql<{ tickets: number }>`
    select (select count(*)::int from ticket t where t.organization_id = p.organization_id and t.project_id = p.id) as tickets
    from project p where organization_id = ${organizationId}`
  expect(projects).toEqual([{ tickets: 2 }])
})
