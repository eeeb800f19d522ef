import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets, suggestSearch } from '@tessera/contract/tickets/search'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { startServer, unguarded } from '../../../test/servers/server.ts'
import { withinTime, withinUsualTime } from './query/within-time.ts'

test('words are found in titles, fields, comments, labels and names of attachments, from the moment they are saved', async () => {
  await using server = await startServer()
  const { organization, project, caller, make, search, titles } = await searchWorld(server)
  const first = await make('Payment gateway fails')
  const second = await make('Something else')
  expect(await titles('payment')).toEqual(['Payment gateway fails'])
  expect(await titles('GATEWAY pay')).toEqual(['Payment gateway fails'])
  expect(await titles('gate pay')).toEqual([])
  // A filter or an order may follow the last word: a list's view is saved and exported as its words, then its filters.
  for (const query of ['pay state:Open', 'pay sort:created', '(pay)', 'state:Open pay'])
    expect(await titles(query)).toEqual(['Payment gateway fails'])
  // One letter is a word too; a beginning only as the last word.
  expect([await titles('p gateway'), await titles('title:p')]).toEqual([[], []])

  await server.as(caller, setTicketData, { idTicket: second, data: { note: 'The Ärger began with a révision of set_ticket_data.' } })
  expect(await titles('arger revision')).toEqual(['Something else'])
  expect(await titles('set_ticket_data')).toEqual(['Something else'])
  await server.as(caller, setTicketData, { idTicket: second, data: { note: 'All is well' } })
  expect(await titles('revision')).toEqual([])

  const { body: comment } = await server.as(caller, setTicketComment, { idTicket: second, Comment: 'Seen with OPS-99 on a zeppelin' })
  await server.as(caller, setTicketComment, { idTicket: second, Comment: 'Another remark' })
  expect(await titles('zeppelin ops99 remark')).toEqual(['Something else'])
  expect(await titles('comment:zeppelin -title:zeppelin')).toEqual(['Something else'])
  expect(await titles('text:zeppelin or title:zeppelin')).toEqual([])
  await server.as(caller, setTicketComment, { idTicket: second, idComment: comment.idComment, Comment: 'Seen on a balloon' })
  expect([await titles('zeppelin'), await titles('balloon remark')]).toEqual([[], ['Something else']])

  await server.sql`insert into label (organization_id, project_id, name, color) values (${organization}, ${project.projectId}, 'Regression', '#000000')`
  await server.sql`insert into ticket_label (organization_id, ticket_id, label_id) select ${organization}, ${first}, id from label where organization_id = ${organization}`
  expect(await titles('regression')).toEqual(['Payment gateway fails'])
  await server.sql`update label set name = 'Defect' where organization_id = ${organization}`
  expect([await titles('regression'), await titles('defect')]).toEqual([[], ['Payment gateway fails']])
  await server.sql`delete from ticket_label where organization_id = ${organization}`
  expect(await titles('defect')).toEqual([])

  await server.as(caller, setTicketData, { idTicket: first, Title: 'Invoices fail' })
  expect([await titles('payment'), await titles('invoices')]).toEqual([[], ['Invoices fail']])
  const row = (await search('invoices')).Tickets[0]
  expect(row).toMatchObject({
    id: first,
    pcode: 'OPS',
    idProject: project.projectId,
    State: 'Open',
    Phase: 1,
    Path: [],
    Labels: [],
    Blocked: 0,
  })
  expect(row).not.toHaveProperty('Snippet')
  expect((await search('balloon')).Tickets[0]?.Snippet).toEqual([
    { Text: 'Seen on a ', Mark: 0 },
    { Text: 'balloon', Mark: 1 },
  ])
})

test('results are ranked by key, whole title, its beginning, its words, other texts; open before closed, the newest first', async () => {
  await using server = await startServer()
  const { organization, project, caller, make, titles, search } = await searchWorld(server)
  // The newer ones rank lower, except for two of equal rank.
  await make('red boat')
  await make('Red boat race')
  await make('A boat that is red')
  await make('My red boat')
  await make('Closed red boat', { stateId: project.states.done })
  // It has the letters of the words, but in other words.
  const elsewhere = 'Elsewhere, scared on a steamboat'
  const inText = await make(elsewhere)
  await server.as(caller, setTicketComment, { idTicket: inText, Comment: 'a red boat' })
  expect(await titles('red boat')).toEqual(['red boat', 'Red boat race', 'My red boat', 'A boat that is red', 'Closed red boat', elsewhere])
  // The key that it had elsewhere counts too.
  await server.sql`update ticket set external_id = 'OLD-900' where organization_id = ${organization} and id = ${inText}`
  await make('OLD-900')
  for (const query of [`OPS-${inText}`, `ops${inText}`, String(inText), 'old-900']) expect((await titles(query))[0]).toBe(elsewhere)
  expect(await titles(`HID-${inText}`)).toEqual([])
  expect(await titles('boat sort:title')).toEqual([
    'A boat that is red',
    'Closed red boat',
    elsewhere,
    'My red boat',
    'red boat',
    'Red boat race',
  ])

  const all = await titles('boat sort:-id')
  const pages: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await search('boat sort:-id', { Limit: 4, ...(cursor ? { Cursor: cursor } : {}) })
    expect([page.Total, page.TotalIsExact]).toEqual([6, 1])
    pages.push(...page.Tickets.map(({ Title }) => Title))
    cursor = page.NextCursor
  } while (cursor)
  expect(pages).toEqual(all)
  expect(await server.as(caller, searchTickets, { Query: 'boat', Cursor: 'x' })).toMatchObject({ status: 400, body: { code: 'invalid' } })
})

test('results, counts and suggestions include only what the person may see', async () => {
  await using server = await startServer()
  const { organization, hidden, project, user, caller, make } = await searchWorld(server)
  const mine = await make('Visible zebra')
  // A member without *View tickets*, which another member has.
  await makeMember(server.db, organization, hidden.projectId, user, [3])
  await makeMember(server.db, organization, hidden.projectId, await makeUser(server.db, organization), 'all')
  const secret = await makeTicket(server.db, organization, hidden, { title: 'Secret zebra quagga' })
  const elsewhere = await makeOrganization(server.db)
  const foreign = await makeProject(server.db, elsewhere, { shortCode: 'FOR' })
  await makeTicket(server.db, elsewhere, foreign, { title: 'Foreign zebra quagga' })
  await makeField(server.db, organization, hidden, 'secretkey', 'TEXT')
  const queries = [
    'zebra',
    'quagga',
    'quaga',
    '-nothing',
    'is:open',
    `id:${secret}`,
    String(secret),
    `HID-${secret}`,
    `hid${secret}`,
    'project:HID',
    'project:FOR',
    `parent:HID-${secret}`,
    'title:quagga',
    'zebra or quagga',
    'sort:-id',
    `id:>0`,
    'state:open',
    'type:bug',
    'has:comment or is:root',
  ]
  for (const Query of queries) {
    const { status, body } = await server.as(caller, searchTickets, { Query })
    expect.soft([Query, status]).toEqual([Query, 200])
    expect.soft([Query, body.Tickets.filter(({ id }) => id !== mine)]).toEqual([Query, []])
    expect.soft(body.Total, Query).toBe(body.Tickets.length)
    expect.soft(body.Also).toBeUndefined()
  }
  const { body } = await server.as(caller, searchTickets, { Query: 'secretkey:x' })
  expect(body).toMatchObject({ code: 'query' })
  expect((body as unknown as { Nearest: string[] }).Nearest).not.toContain('secretkey')
  for (const Query of ['secr', 'project:', 'project:h', 'secretkey:']) {
    const offered = await server.as(caller, suggestSearch, { Query, Caret: Query.length })
    expect(JSON.stringify(offered.body)).not.toMatch(/secretkey|HID|FOR/)
  }
  await server.sql`delete from project_member where organization_id = ${organization} and project_id = ${project.projectId} and user_id = ${user}`
  expect((await server.as(caller, searchTickets, { Query: 'zebra' })).body.Total).toBe(0)
})

test('suggestions complete names, values and keys at the caret', async () => {
  await using server = await startServer()
  const { caller, project } = await searchWorld(server)
  const suggest = async (Query: string, Caret = Query.length, more: object = {}) =>
    (await server.as(caller, suggestSearch, { Query, Caret, ...more })).body
  expect(await suggest('red sta')).toContainEqual({ Text: 'state:', Label: 'state', From: 4, To: 7 })
  expect(await suggest('siz')).toEqual([{ Text: 'size:', Label: 'Size', From: 0, To: 3 }])
  expect(await suggest('state:op or x', 8)).toEqual([{ Text: 'Open', Label: 'Open', From: 6, To: 8 }])
  // Names that begin with the typed text come first.
  expect((await suggest('state:o')).map(({ Text }) => Text)).toEqual(['Open', 'Doing', 'Done'])
  expect(await suggest('state:prop')).toEqual([{ Text: 'proposed', Label: 'proposed', From: 6, To: 10 }])
  expect((await suggest('size:l')).map(({ Label }) => Label)).toEqual(['Large', 'Small'])
  expect(await suggest('-state:Open,doi')).toEqual([{ Text: 'Doing', Label: 'Doing', From: 12, To: 15 }])
  expect((await suggest('assignee:ad')).map(({ Label }) => Label)).toEqual(['Ada Lovelace'])
  expect(await suggest('size:la')).toEqual([{ Text: 'l', Label: 'Large', From: 5, To: 7 }])
  expect((await suggest('is:b')).map(({ Text }) => Text)).toEqual(['blocked', 'blocking'])
  expect(await suggest('project:ope', 11, { idProject: project.projectId })).toEqual([
    { Text: 'OPS', Label: 'Operations', From: 8, To: 11 },
  ])
  // The value after one in quotation marks, and the quotation mark that is open.
  for (const [query, choice] of [
    ['state:"In progress",do', { Text: 'Doing', Label: 'Doing', From: 20, To: 22 }],
    ['-state:"a,b",Open,"do', { Text: 'Doing', Label: 'Doing', From: 18, To: 21 }],
    ['red:x state:"In \\"a\\"",do', { Text: 'Doing', Label: 'Doing', From: 23, To: 25 }],
    ['sort:siz', { Text: 'size', Label: 'Size', From: 5, To: 8 }],
    ['sort:-id,-siz', { Text: '-size', Label: '-Size', From: 9, To: 13 }],
    ['sort:lab', { Text: '-label', Label: '-label', From: 5, To: 8 }],
    ['parent:', { Text: 'none', Label: 'none', From: 7, To: 7 }],
    ['size:', { Text: 'empty', Label: 'empty', From: 5, To: 5 }],
  ] as const)
    expect([query, await suggest(query)]).toEqual([query, expect.arrayContaining([choice])])
  expect((await suggest('state:"In progress",')).map(({ Text }) => Text)).toEqual(['Doing', 'Done', 'Open'])
  expect(await suggest('state:"doi" red', 10)).toEqual([{ Text: 'Doing', Label: 'Doing', From: 6, To: 11 }])
  for (const query of ['id:', 'title:', 'nope:']) expect([query, await suggest(query)]).toEqual([query, []])
  expect((await server.as(caller, suggestSearch, { Query: '', Caret: 0, idProject: 999_999 })).status).toBe(404)

  // A state named like a phase, and fields whose values are not in their options.
  await server.sql`
    insert into state (organization_id, project_id, name, phase, position) values (${caller.orgid}, ${project.projectId}, 'Active', 2, 9)`
  await makeField(server.db, caller.orgid, project, 'done', 'CHECKBOX')
  await makeField(server.db, caller.orgid, project, 'tester', 'USER')
  expect(await suggest('state:act')).toContainEqual({ Text: '"Active"', Label: 'Active', From: 6, To: 9 })
  expect((await suggest('done:')).map(({ Text }) => Text)).toEqual(['yes', 'no', 'empty'])
  expect((await suggest('tester:ad')).map(({ Label }) => Label)).toEqual(['Ada Lovelace'])
  expect((await suggest('tester:')).map(({ Text }) => Text)).toEqual(expect.arrayContaining(['me', 'empty']))
})

test('the search row is kept up to date for every ticket, also for those created in bulk', async () => {
  await using server = await startServer()
  const { project, caller, titles } = await searchWorld(server)
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      server.as(caller, createNewTicket, { idProject: project.projectId, idTemplate: project.templates.bug, Title: `Giraffe ${index}` }),
    ),
  )
  const first = made[0]?.body[0]
  // Comments and saves of one ticket at the same time: nothing waits forever, nothing is lost.
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? server.as(caller, setTicketData, { idTicket: first, data: { note: `Elephant${index}` } })
        : server.as(caller, setTicketComment, { idTicket: first, Comment: `Rhino${index}x` }),
    ),
  )
  expect(answers.map(({ status }) => status).filter(status => status !== 200)).toEqual([])
  expect(await titles('giraffe')).toHaveLength(20)
  for (let index = 0; index < 30; index++) if (index % 3 !== 0) expect.soft(await titles(`rhino${index}x`)).toHaveLength(1)
  const rows = await server.sql<{ same: boolean }>`
    select bool_and(strip(s.words) = strip((search_title(t.project_id, t.title) || ' ' || search_lexemes(search_fields(t.organization_id, t.id), 'B', '', 4000, 9999)
      || ' ' || search_lexemes(search_comments(t.organization_id, t.id), 'C', '', 10000, 16383))::tsvector)) as same
    from ticket t join ticket_search s on s.organization_id = t.organization_id and s.ticket_id = t.id where t.organization_id = ${caller.orgid}`
  expect(rows).toEqual([{ same: true }])
})

test('a search that takes longer than two seconds is canceled, with the reason and advice', async () => {
  await using server = await startServer()
  const { caller, project, make } = await searchWorld(server)
  await make('Anything')
  const holder = unguarded(server.db)
  const Query = 'anything is:open'
  try {
    await holder.transaction().execute(async transaction => {
      // The search waits for the lock, as it would for the disk.
      await sql`lock table ticket_search in access exclusive mode`.execute(transaction)
      for (const [call, input] of [
        [searchTickets, { Query }],
        [searchTickets, { Query, idProject: project.projectId }],
      ] as const)
        expect(await server.as(caller, call, input)).toMatchObject({
          status: 400,
          body: {
            code: 'query',
            Position: 0,
            Length: Query.length,
            Nearest: [],
            error: expect.stringContaining('took longer than 2 seconds'),
          },
        })
    })
  } finally {
    await holder.destroy()
  }
  expect((await server.as(caller, searchTickets, { Query })).body.Total).toBe(1)
  // A transaction that goes on after the search, as a preview's does, has the usual time again.
  const { rows } = await server.db.transaction().execute(async transaction => {
    await withinTime(transaction, Query, async () => {})
    return sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(transaction)
  })
  expect(rows).toEqual([{ limit: '6s' }])
  // A list without a query is not marked as one.
  const slow = server.db.transaction().execute(async transaction => {
    await sql`set local statement_timeout = 1`.execute(transaction)
    return sql`select pg_sleep(5)`.execute(transaction)
  })
  // The answer is the same whether the server or the connection times out first.
  for (const late of [() => slow, () => Promise.reject(new Error('Query read timeout'))])
    await expect(withinUsualTime(late(), 'switch off the lanes, or ')).rejects.toMatchObject({
      code: 'rule',
      message: 'This took longer than 6 seconds and was canceled: switch off the lanes, or narrow it by a filter or a query',
    })
})
