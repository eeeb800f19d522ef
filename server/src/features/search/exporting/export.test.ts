import { exportTickets, searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeOrganization, makeUser } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { executeUnlimited, serverOfFile } from '../../../../test/servers/server.ts'
import { onRun } from '../../../db/db.ts'
import { csvCell } from './csv.ts'

const server = await serverOfFile()

test('a list is exported as CSV: only what the caller may see, in the order of the query, without spreadsheet formulas', async () => {
  const { organization, project, user, caller, make } = await searchWorld(server)
  const watched = await make('Mine')
  await server.sql`update ticket set created_by = ${user} where organization_id = ${organization} and id = ${watched}`
  const formula = await make('=HYPERLINK("http://example.com")')
  await make('Plain, with "quotes"\u2028', { parentId: formula })
  const options = [
    { value: 'f', label: '=1+1' },
    { value: 'q', label: 'The "best"' },
  ]
  const tags = await makeField(server.db, organization, project, 'tags', 'MULTISELECT', { options })
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${formula}, ${tags}, '["f","q","x"]')`
  await server.as(caller, setTicketData, { idTicket: formula, data: { note: 'two\nlines', size: 'l' } })
  const export_ = async (input: object = {}) => server.as(caller, exportTickets, { idProject: String(project.projectId), ...input })
  const { status, headers, body } = await export_({ Columns: 'Parent,note,size,tags', Query: '-mine sort:title' })
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    expect.stringMatching(/OPS-\d{4}-\d\d-\d\d\.csv/),
  ])
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' })
  const text = body as unknown as string
  expect(text.startsWith('\ufeffID,Type,Phase,State,Title,Parent,note,size,tags\r\n')).toBe(true)
  expect(parse(text, { bom: true })).toEqual([
    ['ID', 'Type', 'Phase', 'State', 'Title', 'Parent', 'note', 'size', 'tags'],
    [`OPS-${formula}`, 'Bug', 'Proposed', 'Open', `'=HYPERLINK("http://example.com")`, '', 'two\nlines', 'Large', `'=1+1; The "best"; x`],
    [`OPS-${formula + 1}`, 'Bug', 'Proposed', 'Open', 'Plain, with "quotes"\u2028', `OPS-${formula}`, '', '', ''],
  ])
  expect(parse((await export_({ Query: 'title:plain' })).body as unknown as string, { bom: true })).toHaveLength(2)
  await server.sql`update change set changed_at = '2020-01-01Z' where organization_id = ${organization} and field = 'data.note'`
  const updated = parse((await export_({ Query: 'title:hyperlink', Columns: 'Updated' })).body as unknown as string, { bom: true })
  expect(updated[1]).not.toContain('2020-01-01T00:00:00Z')
  expect(await export_({ Query: 'stat:x' })).toMatchObject({ status: 400, body: { code: 'query' } })
  expect(await export_({ Columns: 'nothing' })).toMatchObject({ status: 400, body: { code: 'invalid' } })

  // In the order of any column, as the list has it, which names the same tickets.
  for (const [Column, Direction] of [
    ['Parent', 'asc'],
    ['Watched', 'desc'],
    ['Labels', 'asc'],
    ['size', 'asc'],
    ['State', 'desc'],
    ['ID', 'asc'],
  ] as const) {
    const file = parse((await export_({ Query: 'id:>0', Columns: 'Watched', Sort: `${Column}.${Direction}` })).body as unknown as string, {
      bom: true,
    })
    const listed = (
      await server.as(caller, queryTickets, {
        idProject: project.projectId,
        Query: 'id:>0',
        Columns: ['Watched'],
        Sort: [{ Column, Direction }],
      })
    ).body.Tickets
    expect([Column, file.slice(1).map(([key, , , , , watched]) => [key, watched])]).toEqual([
      Column,
      listed.map(({ id, Values }) => [`OPS-${id}`, String(Values?.Watched)]),
    ])
  }
  expect(await export_({ Sort: 'nothing.asc' })).toMatchObject({ status: 400, body: { code: 'invalid' } })
  expect(await export_({ Sort: 'State' })).toMatchObject({ status: 400, body: { code: 'invalid' } })

  const many = 1203
  await executeUnlimited(
    server,
    sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select organization_id, project_id, template_id, state_id, 'Many ' || n
    from ticket, generate_series(1, ${many}::int) n where organization_id = ${organization} and id = ${watched}`,
  )
  expect(parse((await export_({ Query: 'many' })).body as unknown as string, { bom: true })).toHaveLength(many + 1)

  const elsewhere = await makeOrganization(server.db)
  const stranger = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  for (const idProject of [String(project.projectId), '999999'])
    for (const Query of ['', 'stat:x', '(']) {
      expect((await server.as(stranger, exportTickets, { idProject, Query })).status).toBe(404)
      const input = { idProject: Number(idProject), Query, Zone: 'Nowhere' }
      expect((await server.as(stranger, searchTickets, input)).status).toBe(404)
    }
  expect((await server.as(null, exportTickets, { idProject: '1' })).status).toBe(403)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['\tx', `"'\tx"`],
  ['\n=1+1', `"'\n=1+1"`],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', '"a;=1+1"'],
  ['a=b', 'a=b'],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
])('the cell %j is written as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test('long values are read a few at a time, and only those of the columns that the file has', async () => {
  const { organization, project, caller, make } = await searchWorld(server)
  const ids = [await make('One'), await make('Two'), await make('Three'), await make('Four')]
  const long = await makeField(server.db, organization, project, 'long', 'TEXT')
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, id, ${long}, repeat('x', 1100000) from unnest(${ids.slice(0, 3)}::bigint[]) id`
  let parts = 0
  onRun(({ text }) => {
    if (text.includes('with asked as')) parts++
  })
  const lengths = async (Columns: string) => {
    const { body } = await server.as(caller, exportTickets, { idProject: String(project.projectId), Query: '', Columns, Sort: 'ID.asc' })
    return parse(body as unknown as string, { bom: true, from: 2 }).map(row => row.at(-1)?.length)
  }
  expect(await lengths('long')).toEqual([1_100_000, 1_100_000, 1_100_000, 0])
  expect(parts).toBe(2)
  parts = 0
  expect(await lengths('note')).toEqual([0, 0, 0, 0])
  expect(parts).toBe(1)
})

test.each<[revoked: string, (who: { organization: number; user: number }) => Promise<unknown>]>([
  [
    'the membership',
    ({ organization, user }) => server.sql`delete from project_member where organization_id = ${organization} and user_id = ${user}`,
  ],
  [
    'the rank of an administrator',
    ({ organization, user }) =>
      server.sql`update organization_member set admin = false where organization_id = ${organization} and user_id = ${user}`,
  ],
  [
    'the session',
    ({ organization, user }) =>
      server.sql`update session set ended_at = now() where organization_id = ${organization} and user_id = ${user}`,
  ],
  ['the account', ({ user }) => server.sql`update user_account set disabled = true where id = ${user}`],
])('an export ends when %s is gone', async (revoked, revoke) => {
  const { organization, project, user, make } = await searchWorld(server)
  const template = await make('First')
  await executeUnlimited(
    server,
    sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select organization_id, project_id, template_id, state_id, repeat('Long title ', 20) || n
    from ticket, generate_series(1, 1999) n where organization_id = ${organization} and id = ${template}`,
  )
  const isAdmin = revoked === 'the rank of an administrator'
  const who = isAdmin ? { organization, user: await makeUser(server.db, organization, { admin: true }) } : { organization, user }
  const caller = await server.signedIn(who.user, organization)
  const answer = await server.app.inject({
    url: `${exportTickets.path}?idProject=${project.projectId}`,
    cookies: caller.cookies,
    payloadAsStream: true,
  })
  expect(answer.statusCode).toBe(200)
  let text = ''
  let isRevoked = false
  for await (const piece of answer.stream()) {
    text += piece
    if (isRevoked || text.length < 10_000) continue
    isRevoked = true
    await revoke(who)
  }
  const rows = parse(text, { bom: true }).length
  expect(rows).toBeGreaterThan(100)
  expect(rows).toBeLessThan(1999)
})
