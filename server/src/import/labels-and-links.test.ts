import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getTicketLinks, removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../test/fixtures/factories.ts'
import { lockWaits } from '../../test/postgres/lock-waits.ts'
import { serverOfFile } from '../../test/servers/server.ts'
import { planImport } from './export/plan.ts'
import { importExport } from './write.ts'

const server = await serverOfFile()

const folder = mkdtempSync(path.join(tmpdir(), 'tessera-import-links-'))
afterAll(() => rmSync(folder, { recursive: true }))

function exported(name: string, header: string, rows: string[]) {
  const file = path.join(folder, name)
  writeFileSync(file, [`Summary,Issue key,Issue id,Issue Type,Status,Reporter,Created,${header}`, ...rows].join('\r\n'))
  return file
}
const links = 'Outward issue link (Blocks),Inward issue link (Blocks),Outward issue link (Duplicate),Inward issue link (Cloners)'

async function setUp() {
  const organization = await makeOrganization(server.db)
  const importer = await makeUser(server.db, organization, { admin: true, fullName: 'Ina' })
  const caller = await server.signedIn(importer, organization)
  const target = { organizationId: organization, shortCode: 'IMP', title: 'Imported', importerId: importer }
  const bring = async (file: string, shortCode = 'IMP', wanted: Parameters<typeof planImport>[1] = {}) =>
    importExport(server.db, {
      storage: server.system.storage,
      file,
      plan: await planImport(file, wanted),
      target: { ...target, shortCode },
    })
  const idOf = async (key: string) =>
    (await server.sql<{ id: number }>`select id from ticket where organization_id = ${organization} and external_id = ${key}`)[0]
      ?.id as number
  return {
    ...{ organization, importer, caller, bring, idOf },
    ticket: async (key: string) => (await server.as(caller, getTicketData, { idTicket: await idOf(key) })).body,
    linksOf: async (key: string) => {
      const { body } = await server.as(caller, getTicketLinks, { idTicket: await idOf(key) })
      return body.map(({ Kind, Ticket }) => `${Kind} ${Ticket?.Title}`).sort()
    },
  }
}

test('labels and links are imported by default; a second run adds nothing, nor anything that was removed since', async () => {
  const { organization, caller, bring, ticket, linksOf, idOf } = await setUp()
  const file = exported('first.csv', `Labels,Labels,${links}`, [
    'One,A-1,1,Bug,Open,ann,16/Jul/15 06:23,red,Blue,A-2,,A-3,',
    'Two,A-2,2,Bug,Open,ann,16/Jul/15 06:24,RED,,A-1,A-1,,A-3',
    'Three,A-3,3,Bug,Open,bob,16/Jul/15 06:25,,,A-3,,,B-1',
  ])
  const first = await bring(file)
  // A-1 blocks A-2 is named twice; A-2 blocks A-1 would close a cycle; A-3 blocks itself; B-1 is not here.
  expect(first).toMatchObject({ tickets: 3, labels: 3, links: 3 })
  expect(first.problems).toEqual([
    { rows: [3], column: 'Outward issue link (Blocks)', text: 'the link with A-1 would close a cycle: it is left out' },
    { rows: [4], column: 'Inward issue link (Cloners)', text: 'B-1 was not imported: the link is left out until another run' },
  ])
  expect((await ticket('A-1')).Labels.map(({ Label }) => Label)).toEqual(['Blue', 'red'])
  expect((await ticket('A-2')).Labels.map(({ Label }) => Label)).toEqual(['red'])
  expect(await linksOf('A-1')).toEqual(['blocks Two', 'duplicates Three'])
  expect(await linksOf('A-2')).toEqual(['blocked-by One', 'relates Three'])

  const red = (await ticket('A-1')).Labels[1]?.idLabel ?? 0
  await server.as(caller, setTicketData, { idTicket: await idOf('A-1'), Labels: [{ idLabel: red, Enabled: 0 }] })
  const [, duplicate] = (await server.as(caller, getTicketLinks, { idTicket: await idOf('A-1') })).body
  await server.as(caller, removeTicketLink, { idLink: duplicate?.idLink ?? 0 })
  expect(await bring(file)).toMatchObject({ tickets: 0, present: 3, labels: 0, links: 0 })
  expect((await ticket('A-1')).Labels.map(({ Label }) => Label)).toEqual(['Blue'])

  // The issue of another project comes later: a further run of the first export brings its link, with history at the tickets that were there.
  await bring(exported('other.csv', 'Labels', ['Far,B-1,9,Bug,Open,ann,16/Jul/15 06:25,']), 'OTH')
  expect(await bring(file)).toMatchObject({ links: 1 })
  expect(await linksOf('A-3')).toEqual(['relates Far', 'relates Two'])
  const { Changes } = (await server.as(caller, getTicketHistory, { idTicket: await idOf('A-3') })).body
  expect(Changes.map(({ Field }) => Field)).toEqual(['Link', 'Link', 'Ticket'])
  const rows = await server.sql`select 1 from ticket_notice where organization_id = ${organization}
    and ticket_id not in (select id from ticket where organization_id = ${organization} and external_id in ('A-1', 'A-3'))`
  expect(rows).toEqual([])
})

test('an import that links tickets waits for nobody who links others of its project, and is not rolled back', async () => {
  const { organization, caller, bring, idOf, linksOf } = await setUp()
  const rows = ['One,A-1,1,Bug,Open,,,,,,', 'Two,A-2,2,Bug,Open,,,,,,']
  await bring(exported('before.csv', links, rows))
  const [one, two] = [await idOf('A-1'), await idOf('A-2')]
  const more = exported('more.csv', `Parent id,${links}`, [...rows.map(row => `${row},`), 'Three,A-3,3,Bug,Open,,,1,A-2,,,'])
  // Holds the import up at the parent of a ticket, between its locks.
  const { imported, linked } = await server.db.transaction().execute(async holder => {
    await sql`select 1 from ticket where organization_id = ${organization} and id = ${one} for no key update`.execute(holder)
    const begun = bring(more).then(({ tickets }) => tickets)
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    const other = server.as(caller, setTicketLink, { idTicket: one, idOther: two, Kind: 'relates' })
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    // A waiting backend checks for a deadlock once, after deadlock_timeout. The link has done so by then: the import would be the victim.
    await sql`select pg_sleep(1.2)`.execute(holder)
    return { imported: begun, linked: other }
  })
  expect(await imported).toBe(1)
  expect((await linked).status).toBe(200)
  expect(await linksOf('A-2')).toEqual(['blocked-by Three', 'relates One'])
})

test('usual columns become fields that fit, the description is Details, history begins with the reporter, and who imports is a member', async () => {
  const { organization, importer, caller, bring, ticket, idOf } = await setUp()
  const file = exported(
    'fields.csv',
    'Priority,Component/s,Component/s,Fix Version/s,Resolution,Due Date,Environment,Description,Sprint,Comment',
    [
      'One,A-1,1,Bug,Open,ann lee,16/Jul/15 06:23,High,iOS,Android,,,20/Jul/15 12:00 AM,*Mac*,h1. Why,7,16/Jul/15 07:00;ann lee;see {{x}}',
      'Two,A-2,2,Bug,Open,,16/Jul/15 06:24,Critical,iOS,,1.2,,,,plain,7,',
    ],
  )
  await bring(file)
  const one = await ticket('A-1')
  expect(one.Fields.map(({ Key, Label, Value, Renderer }) => [Key, Label, Renderer, Value])).toEqual([
    ['description', 'Details', 'TEXTMULTILINE', '# Why'],
    ['Priority', 'Priority', 'SELECT', 'High'],
    ['Component_s', 'Component/s', 'MULTISELECT', '["iOS","Android"]'],
    ['Fix_Version_s', 'Fix Version/s', 'MULTISELECT', ''],
    ['Due_Date', 'Due Date', 'DATE', '2015-07-20'],
    ['Environment', 'Environment', 'TEXTMULTILINE', '**Mac**'],
  ])
  expect(one.Fields[1]?.FieldProps.map(({ label }) => label)).toEqual(['Critical', 'High'])
  const originals = await server.sql<{ text: string }>`
    select text from original_text where organization_id = ${organization} order by text`
  expect(originals.map(({ text }) => text)).toEqual(['*Mac*', 'h1. Why', 'see {{x}}'])
  const history = async (key: string) => (await server.as(caller, getTicketHistory, { idTicket: await idOf(key) })).body.Changes
  const reported = Date.UTC(2015, 6, 16, 6, 23) / 1000
  expect(await history('A-1')).toMatchObject([{ Field: 'Ticket', Author: 'ann lee', DateChanged: reported }])
  const members = await server.sql`
    select 1 from project_member where organization_id = ${organization} and user_id = ${importer} and permissions = 8191`
  expect(members).toHaveLength(1)

  // As an earlier version of the import left it: no priority, the old label, and a history that begins on the day of the import.
  await server.sql`delete from ticket_value where organization_id = ${organization} and field_id in (select id from field where organization_id = ${organization} and key = 'Priority')`
  await server.sql`update field set label = 'Description', key = 'Description' where organization_id = ${organization} and key = 'description'`
  await server.sql`update change set user_id = null, changed_at = now() where organization_id = ${organization} and field = 'Ticket'`
  await server.as(caller, setTicketData, { idTicket: await idOf('A-2'), data: { Description: 'edited' } })
  await bring(file)
  const fields = async (key: string) => Object.fromEntries((await ticket(key)).Fields.map(({ Label, Value }) => [Label, Value]))
  expect(await fields('A-1')).toMatchObject({ Details: '# Why', Priority: 'High' })
  expect(await fields('A-2')).toMatchObject({ Details: 'edited', Priority: 'Critical' })
  expect((await history('A-1')).at(-1)).toMatchObject({ Field: 'Ticket', Author: 'ann lee', DateChanged: reported })
  // What the second run added is by the person who ran it, or by the import if that is not known.
  expect((await history('A-1'))[0]).toMatchObject({ Field: 'data.Priority', After: 'High', Author: 'Ina' })
  await server.sql`update change set user_id = null where organization_id = ${organization} and field = 'data.Priority'`
  expect((await history('A-1'))[0]).toMatchObject({ Field: 'data.Priority', Author: 'Import' })

  await bring(file, 'ONLY', { only: ['Sprint'] })
  const only = await server.sql<{ label: string }>`
    select f.label from field f join project p on p.organization_id = f.organization_id and p.id = f.project_id
    where f.organization_id = ${organization} and p.short_code = 'ONLY' order by f.position`
  expect(only.map(({ label }) => label)).toEqual(['Details', 'Sprint'])
})

test('a second run of an older import converts the texts that are still in the markup of Jira, and keeps what somebody edited', async () => {
  const { organization, caller, bring, ticket, idOf } = await setUp()
  const file = exported('markup.csv', 'Description,Comment,Comment', [
    'One,A-1,1,Bug,Open,ann,16/Jul/15 06:23,h1. Why,16/Jul/15 07:00;ann;see {{x}},16/Jul/15 07:01;ann;*bold*',
    'Two,A-2,2,Bug,Open,ann,16/Jul/15 06:24,*loud*,,',
  ])
  await bring(file)
  // As the older import left them.
  await server.sql`update ticket_value v set value = o.text from original_text o where v.organization_id = ${organization}
    and o.organization_id = ${organization} and o.ticket_id = v.ticket_id and o.field_id = v.field_id`
  await server.sql`update comment c set text = o.text from original_text o where c.organization_id = ${organization}
    and o.organization_id = ${organization} and o.comment_id = c.id`
  await server.sql`delete from original_text where organization_id = ${organization}`
  const [one, two] = [await idOf('A-1'), await idOf('A-2')]
  await server.as(caller, setTicketData, { idTicket: two, data: { description: '*loud* and clear' } })
  await server.sql`update comment set versions = 2 where organization_id = ${organization} and text = '*bold*'`
  const { Version } = await ticket('A-1')

  expect(await bring(file)).toMatchObject({ present: 2, converted: 2 })
  const texts = async (key: string) => (await ticket(key)).Fields[0]?.Value
  expect([await texts('A-1'), await texts('A-2')]).toEqual(['# Why', '*loud* and clear'])
  const { body: comments } = await server.as(caller, getTicketComments, { idTicket: one })
  expect(comments.map(({ Comment }) => Comment)).toEqual(['*bold*', 'see `x`'])
  const rows = await server.sql<{ text: string }>`
    select text from original_text where organization_id = ${organization} order by text`
  expect(rows.map(({ text }) => text)).toEqual(['h1. Why', 'see {{x}}'])
  // Who had the ticket open does not overwrite the new text unasked.
  const stale = { idTicket: one, data: { description: 'h1. Why?' }, Version }
  expect((await server.as(caller, setTicketData, stale)).status).toBe(409)
  expect(await bring(file)).toMatchObject({ converted: 0 })
})

test('more labels than a project may have: the most used become labels, the others stay text', async () => {
  const { organization, bring, ticket } = await setUp()
  const rows = Array.from({ length: 502 }, (_, index) => `T${index},A-${index + 1},${index + 1},Bug,Open,,16/Jul/15 06:23,l${index},used`)
  const imported = await bring(exported('many.csv', 'Labels,Labels', rows))
  expect(imported.labels).toBe(502 + 499)
  expect(imported.problems).toMatchObject([
    { column: 'Labels', text: expect.stringContaining('503 new labels, and there is room for 500') },
  ])
  const left = await server.sql<{ value: string; key: string }>`
    select v.value, t.external_id as key from ticket_value v join ticket t on t.organization_id = v.organization_id and t.id = v.ticket_id
    where v.organization_id = ${organization} order by v.value`
  expect(left).toHaveLength(3)
  expect((await ticket(left[0]?.key ?? '')).Labels.map(({ Label }) => Label)).toEqual(['used'])
})

test('columns with the names of Jira Cloud are read too', async () => {
  const { bring, ticket, idOf } = await setUp()
  await bring(
    exported('cloud.csv', 'Components,Fix versions,Due date,Parent key', [
      'One,A-1,1,Epic,Open,,16/Jul/15 06:23,iOS,1.2,20/Jul/15 12:00 AM,',
      'Two,A-2,2,Bug,Open,,16/Jul/15 06:24,,,,A-1',
    ]),
  )
  const one = await ticket('A-1')
  expect(one.Fields.map(({ Label, Value, Renderer }) => [Label, Renderer, Value])).toEqual([
    ['Components', 'MULTISELECT', '["iOS"]'],
    ['Fix versions', 'MULTISELECT', '["1.2"]'],
    ['Due date', 'DATE', '2015-07-20'],
  ])
  expect((await ticket('A-2')).idParent).toBe(await idOf('A-1'))
})
