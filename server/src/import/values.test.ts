import { writeFileSync } from 'node:fs'
import { limits } from '@tessera/contract/limits'
import { propertyTypes, type Renderer, setTicketField } from '@tessera/contract/projects/project-config'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeTicket } from '../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../test/fixtures/recount.ts'
import { peopledProject } from '../../test/fixtures/worlds/peopled-project.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { planImport } from './export/plan.ts'
import { importExport } from './write.ts'

const options = [
  { value: 's', label: 'Small' },
  { value: 'l', label: 'Large' },
]

async function setUp(server: TestServer) {
  const made = await peopledProject(server, { shortCode: 'VAL' })
  const ann = await made.someone('all', { login: 'ann' })
  const addField = (key: string, type: Renderer) => makeField(server.db, made.organization, made.project, key, type, { options })
  return { ...made, ann, addField }
}

function importer(server: TestServer, organizationId: number) {
  return async (csv: string, fields: string[], isDry = false) => {
    const file = `${server.system.config.data}/values.csv`
    writeFileSync(file, csv)
    const target = { organizationId, shortCode: 'VAL', title: 'Values' }
    return importExport(server.db, { storage: server.system.storage, file, plan: await planImport(file, { also: fields }), target, isDry })
  }
}

async function stored(server: TestServer, organizationId: number) {
  const rows = await server.sql<{ key: string; label: string; value: string }>`
    select t.external_id as key, f.label, v.value from ticket_value v
    join ticket t on t.organization_id = v.organization_id and t.id = v.ticket_id
    join field f on f.organization_id = v.organization_id and f.id = v.field_id
    where v.organization_id = ${organizationId} order by t.external_id, f.label`
  return rows.map(({ key, label, value }) => `${key} ${label}: ${value}`)
}

test.each<[Renderer, fits: [text: string, value: string][], doesNot: string[]]>([
  [
    'SELECT',
    [
      ['s', 's'],
      ['large', 'l'],
    ],
    ['Medium'],
  ],
  ['NUMBER', [['12.5', '12.5']], ['twelve', '1,5', 'Infinity']],
  [
    'DATE',
    [
      ['2026-02-28', '2026-02-28'],
      ['16/Jul/15 12:00 AM', '2015-07-16'],
    ],
    ['2026-02-31', '16/Jul/15 06:23', 'soon'],
  ],
  [
    'CHECKBOX',
    [
      ['1', '1'],
      ['Yes', '1'],
    ],
    ['maybe'],
  ],
  [
    'MULTISELECT',
    [
      ['Small; Large', '["s","l"]'],
      ['l', '["l"]'],
    ],
    ['Small, Medium', '["s"'],
  ],
  ['USER', [], ['nobody', '7', '99999999999999999999']],
  ['URL', [['https://example.com/a', 'https://example.com/a']], ['javascript:alert(1)', ' JavaScript:alert(1)', 'example.com']],
])('values go into a %s field where they fit, and into a text field beside it where they do not', async (type, fits, doesNot) => {
  await using server = await startServer()
  const { organization, ann, addField } = await setUp(server)
  await addField('Target', type)
  const run = importer(server, organization)
  const texts = [...fits.map(([text]) => text), ...doesNot]
  const rows = texts.map((text, index) => `T${index},V-${index},Bug,Open,"${text.replaceAll('"', '""')}"`)
  const csv = ['Summary,Issue key,Issue Type,Status,Target', ...rows].join('\n')
  const imported = await run(csv, ['Target'])
  const values = doesNot.length === 1 ? '1 value does' : `${doesNot.length} values do`
  expect(imported.problems).toEqual([
    {
      rows: doesNot.map((_, index) => fits.length + index + 2),
      column: 'Target',
      text: `${values} not fit the field 'Target' (${type}): kept in the field 'Target (text)'`,
    },
  ])
  expect(await stored(server, organization)).toEqual([
    ...fits.map(([, value], index) => `V-${index} Target: ${value}`),
    ...doesNot.map((text, index) => `V-${index + fits.length} Target (text): ${text.trim()}`),
  ])
  const ids = await server.db.selectFrom('ticket').select('id').where('organization_id', '=', organization).execute()
  for (const { id } of ids) expect((await server.as(ann, getTicketData, { idTicket: id })).status).toBe(200)
})

test('a person of the project goes into a USER field', async () => {
  await using server = await startServer()
  const { organization, ann, addField } = await setUp(server)
  await addField('Tester', 'USER')
  await importer(server, organization)('Summary,Issue key,Issue Type,Status,Tester\na,V-1,Bug,Open,ANN', ['Tester'])
  expect(await stored(server, organization)).toEqual([`V-1 Tester: ${ann.idUser}`])
})

test('names that differ in case only are one, columns that make one key are two fields; both are reported, and found again', async () => {
  await using server = await startServer()
  const { organization } = await setUp(server)
  const run = importer(server, organization)
  const csv = (key: string) => `Summary,Issue key,Issue Type,Status,Foo Bar,Foo-Bar,Метка,Ярлык
a,${key}-1,Story,Review,1,2,3,4
b,${key}-2,story,REVIEW,5,6,7,8
c,${key}-3,BUG,open,,,,`
  const columns = ['Foo Bar', 'Foo-Bar', 'Метка', 'Ярлык']
  const dry = await run(csv('V'), columns, true)
  const imported = await run(csv('V'), columns)
  expect(imported).toMatchObject({ tickets: 3, problems: dry.problems })
  expect(imported.problems.map(({ column, text }) => `${column}: ${text}`).toSorted()).toEqual([
    "Foo-Bar: would have the database key of another field: 'Foo-Bar' gets the key Foo_Bar_2",
    "Issue Type: 'BUG' differs from 'Bug' in case only: it is imported as 'Bug'",
    "Issue Type: 'story' differs from 'Story' in case only: it is imported as 'Story'",
    "Status: 'REVIEW' differs from 'Review' in case only: it is imported as 'Review'",
    "Status: 'open' differs from 'Open' in case only: it is imported as 'Open'",
    "Ярлык: would have the database key of another field: 'Ярлык' gets the key field_2",
  ])
  const fields = async () => {
    const made = await server.sql<{ key: string; label: string }>`
      select key, label from field where organization_id = ${organization} order by id`
    return made.map(({ key, label }) => `${key} ${label}`).slice(2)
  }
  expect(await fields()).toEqual(['Foo_Bar Foo Bar', 'Foo_Bar_2 Foo-Bar', 'field Метка', 'field_2 Ярлык'])
  expect(await stored(server, organization)).toEqual([
    ...['V-1 Foo Bar: 1', 'V-1 Foo-Bar: 2', 'V-1 Метка: 3', 'V-1 Ярлык: 4'],
    ...['V-2 Foo Bar: 5', 'V-2 Foo-Bar: 6', 'V-2 Метка: 7', 'V-2 Ярлык: 8'],
  ])
  // Each column finds its field again, in any order.
  await run(csv('W'), columns.toReversed())
  expect(await fields()).toHaveLength(4)
  expect((await stored(server, organization)).filter(line => line.startsWith('W-1'))).toEqual([
    'W-1 Foo Bar: 1',
    'W-1 Foo-Bar: 2',
    'W-1 Метка: 3',
    'W-1 Ярлык: 4',
  ])
})

test('a parent that was moved to the trash meanwhile gets no new child', async () => {
  await using server = await startServer()
  const { organization } = await setUp(server)
  const run = importer(server, organization)
  const header = 'Summary,Issue key,Issue Type,Status,Parent key'
  await run(`${header}\na,V-1,Bug,Open,`, [])
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization}`
  const imported = await run(`${header}\na,V-1,Bug,Open,\nb,V-2,Bug,Open,V-1`, [])
  expect(imported).toMatchObject({ tickets: 1, present: 1 })
  const text = 'the parent V-1 of V-2 is in the trash: the ticket becomes a root'
  expect(imported.problems).toEqual([{ rows: [3], column: 'Parent key', text }])
})

test('a parent of an earlier import of the project is found by its key', async () => {
  await using server = await startServer()
  const { organization } = await setUp(server)
  const run = importer(server, organization)
  await run('Summary,Issue key,Issue Type,Status\na,V-1,Epic,Open\nb,V-2,Story,Open', [])
  const header = 'Summary,Issue key,Issue Type,Status,Parent,Parent key,Epic Link'
  const rows = [
    'c,V-3,Bug,Open,10001,V-2,V-1',
    'd,V-4,Bug,Open,,,V-1',
    'e,V-5,Bug,Open,V-3,,',
    'f,V-6,Bug,Open,10009,V-9,',
    'g,V-7,Bug,Open,V-7,,',
    'h,V-8,Bug,Open,,V-2,V-3',
  ]
  const imported = await run([header, ...rows].join('\n'), [])
  expect(imported).toMatchObject({ tickets: 6, children: 4 })
  expect(imported.problems).toEqual([
    { rows: [6], column: 'Parent', text: 'names the issue itself: the ticket becomes a root' },
    { rows: [5], column: 'Parent', text: '10009 is neither in the file nor in the project: the ticket becomes a root' },
  ])
  const parents = await server.sql`
    select t.external_id as key, p.external_id as parent from ticket t
    join ticket p on p.organization_id = t.organization_id and p.id = t.parent_id where t.organization_id = ${organization} order by 1`
  expect(parents).toEqual([
    { key: 'V-3', parent: 'V-2' },
    { key: 'V-4', parent: 'V-1' },
    { key: 'V-5', parent: 'V-3' },
    { key: 'V-8', parent: 'V-2' },
  ])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a ticket whose parent is as deep as a tree may be becomes a root', async () => {
  await using server = await startServer()
  const { organization } = await setUp(server)
  const run = importer(server, organization)
  const header = 'Summary,Issue key,Issue Type,Status,Parent id'
  const chain = Array.from({ length: limits.depth + 1 }, (_, depth) => `t,V-${depth},Bug,Open,${depth === 0 ? '' : `V-${depth - 1}`}`)
  expect(await run([header, ...chain].join('\n'), [])).toMatchObject({ tickets: limits.depth + 1, problems: [] })
  const imported = await run(`${header}\nt,V-20,Bug,Open,\nt,V-21,Bug,Open,V-20`, [])
  expect(imported).toMatchObject({ tickets: 1, present: 1 })
  const text = 'the parent V-20 of V-21 has no room below it: the ticket becomes a root'
  expect(imported.problems).toEqual([{ rows: [3], column: 'Parent id', text }])
  const rows = await server.sql`select parent_id from ticket where organization_id = ${organization} and external_id = 'V-21'`
  expect(rows).toEqual([{ parent_id: null }])
})

test('a stored value that does not fit its field can be read, replaced, and does not stand in the way of an option', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann, addField } = await setUp(server)
  const idTicket = await makeTicket(server.db, organization, project)
  for (const { Description: type } of propertyTypes) {
    const field = await addField(`f_${type}`, type)
    const value = type === 'USER' ? '99999999999999999999 or so' : '["s", broken'
    await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${idTicket}, ${field}, ${value})`
    if (type === 'MULTISELECT') {
      const one = { idProject, idField: field, FieldProps: [{ value: 's', label: 'Small' }] }
      expect((await server.as(ann, setTicketField, one)).status).toBe(200)
    }
  }
  const read = await server.as(ann, getTicketData, { idTicket })
  expect(read.status).toBe(200)
  expect(read.body.Fields.find(({ Key }) => Key === 'f_USER')?.Value).toBe('99999999999999999999 or so')
  const data = { f_USER: String(ann.idUser), f_DATE: '2026-01-01', f_MULTISELECT: '["s"]' }
  expect((await server.as(ann, setTicketData, { idTicket, data })).status).toBe(200)
})

test('an import into a project with states leaves it without a workflow, and a new type begins in the earliest of its statuses', async () => {
  await using server = await startServer()
  const { organization } = await setUp(server)
  const run = importer(server, organization)
  await run('Summary,Issue key,Issue Type,Status\na,V-1,Story,Done\nb,V-2,Story,Waiting\nc,V-3,Bug,In review', [])
  expect(await server.sql`select 1 from state where organization_id = ${organization} and name in ('Waiting', 'In review')`).toHaveLength(2)
  expect(await server.sql`select 1 from state_transition where organization_id = ${organization}`).toEqual([])
  const entry = await server.sql`
    select s.name from template tp join state s on s.organization_id = tp.organization_id and s.id = tp.entry_state_id
    where tp.organization_id = ${organization} and tp.name = 'Story'`
  expect(entry).toEqual([{ name: 'Waiting' }])
})
