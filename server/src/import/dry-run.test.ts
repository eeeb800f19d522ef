import { writeFileSync } from 'node:fs'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrganization, makeProject, makeUser } from '../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../test/fixtures/recount.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { OperatorError } from '../operator-error.ts'
import { planImport } from './export/plan.ts'
import { importExport } from './write.ts'

// Small exports that combine everything that ever went wrong. `IMPORT_RUNS` sets their number, `SEED` the seed.
const numRuns = Number(process.env.IMPORT_RUNS ?? 20)
const seed = Number(process.env.SEED ?? 20_261_122)

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    '\u0000',
    '\u0001',
    'x\u0000y',
    '\r\n',
    'ünï',
    '😀',
    '﷽',
    'İ',
    'ß',
    'javascript:alert(1)',
    '["s"',
    '-1e5',
    '0',
  ),
  fc.constantFrom('2026-02-31', '0000-01-01', '1969-12-31', '9999-12-31', '16/Jul/15 06:23', '31/Feb/15', '99999-01-01', '1e999'),
  fc.constantFrom('t'.repeat(501), `${'😀'.repeat(130)}!`, 'k'.repeat(3000), 'ß'.repeat(201)),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const fieldColumns = [
  'Foo Bar',
  'Foo-Bar',
  'foo bar',
  'Метка',
  'Ярлык',
  'constructor',
  '__proto__',
  'size',
  'Note',
  '\u0001',
  'L'.repeat(300),
]
const row = fc.record({
  Summary: odd,
  'Issue key': fc.oneof({ weight: 9, arbitrary: fc.constantFrom('K-1', 'K-2', 'K-3', 'K-4', 'k-1', 'K-\u00001') }, odd),
  'Issue id': fc.constantFrom('', '1', '2', '3', '1e999', 'x'),
  'Parent id': fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom('1', '2', '3', 'K-1', 'K-2', 'K-4', 'gone')),
  'Issue Type': fc.oneof(fc.constantFrom('Bug', 'bug', 'BUG', 'İssue', 'i̇ssue', 'STRASSE', 'straße'), odd),
  Status: fc.oneof(fc.constantFrom('Open', 'OPEN', 'Done', 'done', 'ΣΑΣ', 'σας', 'σασ'), odd),
  Created: odd,
  Assignee: fc.oneof(fc.constantFrom('ann', 'ANN', 'stranger', 'Ünal', 'ünal', 'a b', 'a_b', 'İ', 'i̇'), odd),
  Reporter: fc.oneof(fc.constantFrom('ann', 'stranger', 'p'.repeat(101), 'p'.repeat(102)), odd),
  Comment: fc.oneof(
    odd,
    fc.constantFrom('16/Jul/15 06:23;stranger;text', '16/Jul/15 06:23;;', `16/Jul/15 06:23;ann;${'c'.repeat(66_000)}`),
  ),
  values: fc.array(odd, { minLength: fieldColumns.length, maxLength: fieldColumns.length }),
})
const exports = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 6 }),
  fields: fc.subarray(fieldColumns),
  hasProject: fc.boolean(),
})
type Export = typeof exports extends fc.Arbitrary<infer T> ? T : never

function csvOf({ rows }: Export) {
  const names = Object.keys(rows[0] ?? {}).filter(name => name !== 'values') as Exclude<keyof Export['rows'][number], 'values'>[]
  const lines = rows.map(row => [...names.map(name => row[name]), ...row.values])
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  return [[...names, ...fieldColumns], ...lines].map(cells => cells.map(quoted).join()).join('\r\n')
}

/** Everything of the organization, and how many people there are in all. */
async function digest(organizationId: number) {
  const tables = [
    'project',
    'state',
    'template',
    'field',
    'ticket',
    'ticket_value',
    'comment',
    'change',
    'attachment',
    'organization_member',
  ]
  const rows = await server.sql<{ md5: string; people: number }>`
    select md5(string_agg(line, chr(10) order by line)) as md5, (select count(*) from user_account)::int as people from (${sql.join(
      tables.map(table => sql`select ${table} || t::text as line from ${sql.table(table)} t where t.organization_id = ${organizationId}`),
      sql` union all `,
    )}) lines`
  return rows[0]
}

/** The result, or the message for the operator. Anything else is a defect. */
async function outcome(work: () => Promise<object>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OperatorError) return { refused: error.message }
    throw error
  }
}

test('a dry run reports what a run would and changes nothing; imported tickets can be read', { timeout: 120_000 }, async () => {
  const elsewhere = await makeOrganization(server.db)
  await makeUser(server.db, elsewhere, { login: 'stranger' })
  let imports = 0
  await fc.assert(
    fc.asyncProperty(exports, async made => {
      const organizationId = await makeOrganization(server.db)
      const admin = await server.signedIn(await makeUser(server.db, organizationId, { admin: true }), organizationId)
      if (made.hasProject) await makeProject(server.db, organizationId, { shortCode: 'IMP' })
      const file = `${server.system.config.data}/export.csv`
      writeFileSync(file, csvOf(made))
      const work = (isDry: boolean) => async () => {
        const plan = await planImport(file, { also: made.fields })
        const target = { organizationId, shortCode: 'IMP', title: 'Imported' }
        const { projectId: _, ...imported } = await importExport(server.db, { storage: server.system.storage, file, plan, target, isDry })
        return imported
      }
      const before = await digest(organizationId)
      const dry = await outcome(work(true))
      expect(await digest(organizationId)).toEqual(before)
      expect(await outcome(work(false))).toEqual(dry)
      if ('refused' in dry) {
        expect(await digest(organizationId)).toEqual(before)
        return
      }

      imports++
      expect(await outcome(work(false))).toMatchObject({ tickets: 0, comments: 0, people: 0 })
      expect(await recount(server.db, organizationId)).toEqual(everyCounterRight)
      const tickets = await server.sql<{ id: number; external_id: string | null }>`
        select id, external_id from ticket where organization_id = ${organizationId}`
      // Keys of real tickets: a row without a key, or with the key of an earlier row, does not count.
      const keys = made.rows.map(row =>
        row['Issue key']
          .replaceAll('\u0000', '')
          .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
          .trim(),
      )
      expect(new Set(tickets.map(ticket => ticket.external_id))).toEqual(new Set(keys.filter(key => key !== '' && key.length <= 250)))
      for (const { id } of tickets) expect((await server.as(admin, getTicketData, { idTicket: id })).status).toBe(200)
    }),
    { seed, numRuns, endOnFailure: process.env.IMPORT_SHRINK === undefined },
  )
  expect(imports).toBeGreaterThan(numRuns / 4)
})

test('an import creates no project with more than 500 states, and accepts one that already has more', async () => {
  const organizationId = await makeOrganization(server.db)
  const file = `${server.system.config.data}/states.csv`
  const run = async (count: number, isDry: boolean) => {
    const lines = Array.from({ length: count }, (_, at) => `Ticket,${count}-${at},Bug,Status ${at}`)
    writeFileSync(file, ['Summary,Issue key,Issue Type,Status', ...lines].join('\r\n'))
    const target = { organizationId, shortCode: 'IMP', title: 'Imported' }
    return outcome(async () =>
      importExport(server.db, { storage: server.system.storage, file, plan: await planImport(file), target, isDry }),
    )
  }
  const before = await digest(organizationId)
  const refused = { refused: 'The project would have 501 states, and it may have 500. Nothing was imported.' }
  for (const isDry of [true, false]) expect(await run(501, isDry)).toEqual(refused)
  expect(await digest(organizationId)).toEqual(before)
  expect(await run(500, false)).toMatchObject({ tickets: 500 })
  await server.sql`
    insert into state (organization_id, project_id, name, phase, position)
    select organization_id, id, 'One more', 1, 500 from project where organization_id = ${organizationId}`
  expect(await run(499, false)).toMatchObject({ tickets: 499 })
})
