import { authenticate } from '@tessera/contract/people/session'
import { getTicketTemplate, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { percentile, rawDays, rawTimes } from '../../test/fixtures/raw-statistics.ts'
import { everyCounterRight, recount } from '../../test/fixtures/recount.ts'
import { demoQueries } from '../../test/golden/demo-queries.ts'
import { recallAt10, withTypos } from '../../test/golden/recall.ts'
import { startServer } from '../../test/servers/server.ts'
import { acrossOrganizations } from '../db/guard/across-organizations.ts'
import { problemOfValue } from '../features/tickets/values/field-values.ts'
import { inspectStorage } from '../storage/clean-up.ts'
import { fillDemo } from './fill-demo.ts'

test('on a disk without room for attachments the demo is refused in one line, before it writes anything', async () => {
  await using server = await startServer()
  const storage = Object.assign(Object.create(server.system.storage), { free: async () => ({ bytes: 1e8, total: 4e8, least: 2 ** 30 }) })
  await expect(fillDemo({ ...server.system, storage })).rejects.toThrow(
    /^The demo has attachments, and they need 1\.1 GB of free disk space/,
  )
  expect(await server.system.storage.readMark()).toBeNull()
})

test('the demo is a believable organization: whole, countable, and everybody printed can sign in', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const { db } = server
  const people = await fillDemo(server.system)
  expect(new Set(people.map(({ password }) => password)).size).toBe(people.length)
  for (const { login, password } of people) {
    const { body } = await server.as(null, authenticate, { user: login, pass: password })
    expect(body).toMatchObject(['mara', 'priya'].includes(login) ? { auth: 0, orglist: expect.any(Array) } : { auth: 1 })
  }

  const { rows: named } = await sql<{ id: number }>`
    ${acrossOrganizations('operator')} select id from organization where title = 'Larkfield'`.execute(db)
  const larkfield = named[0]?.id as number
  expect(await recount(db, larkfield)).toEqual(everyCounterRight)
  const { rows } = await sql<{ tickets: number; projects: number; deep: number; comments: number; attachments: number }>`
    select (select count(*)::int from ticket where organization_id = ${larkfield}) as tickets,
      (select count(*)::int from project where organization_id = ${larkfield}) as projects,
      (select count(*)::int from ticket t join ticket p on p.organization_id = t.organization_id and p.id = t.parent_id
        where t.organization_id = ${larkfield} and p.parent_id is not null) as deep,
      (select count(*)::int from comment where organization_id = ${larkfield}) as comments,
      (select count(*)::int from attachment where organization_id = ${larkfield}) as attachments`.execute(db)
  expect(rows[0]?.projects).toBe(4)
  expect(rows[0]?.tickets).toBeGreaterThan(250)
  expect(rows[0]?.deep).toBeGreaterThan(150)
  expect(rows[0]?.comments).toBeGreaterThan(100)
  expect(rows[0]?.attachments).toBeGreaterThan(15)
  expect((await inspectStorage(db, server.system.storage)).missing).toBe(0)

  const values = await sql<{ type_id: number; options: { value: string }[]; value: string; project_id: number }>`
    select f.type_id, f.options, v.value, f.project_id from ticket_value v
    join field f on f.organization_id = v.organization_id and f.id = v.field_id where v.organization_id = ${larkfield}`.execute(db)
  const wrong = values.rows.filter(
    row => problemOfValue({ typeId: row.type_id, options: row.options }, row.value, () => true) !== undefined,
  )
  expect(wrong).toEqual([])
  const { rows: future } = await sql`select 1 from change where organization_id = ${larkfield} and changed_at > now()`.execute(db)
  expect(future).toEqual([])

  const { id: samuel } = await db.selectFrom('user_account').select('id').where('login', '=', 'samuel').executeTakeFirstOrThrow()
  const caller = await server.signedIn(samuel, larkfield)
  const { id: idProject } = await db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', larkfield)
    .where('short_code', '=', 'OPS')
    .executeTakeFirstOrThrow()
  const list = await server.as(caller, queryTickets, { idProject, Title: 'quay 4' })
  expect(list.status).toBe(200)
  const found = list.body.Tickets.find(({ Title }) => Title.startsWith('Quay 4'))
  const ticket = await server.as(caller, getTicketData, { idTicket: found?.id ?? 0 })
  expect(ticket.body).toMatchObject({ Type: 'Story', pcode: 'OPS', Title: 'Quay 4: three docks torn out' })
  expect(ticket.body.OutputStates.length).toBeGreaterThan(0)

  const { rows: teamwork } = await sql<
    Record<'labels' | 'shared' | 'labelled' | 'watched' | 'reactions' | 'mentions' | 'historyOutOfOrder', number>
  >`
    select (select count(*)::int from label where organization_id = ${larkfield}) as labels,
      (select count(*)::int from label where organization_id = ${larkfield} and project_id is null) as shared,
      (select count(distinct ticket_id)::int from ticket_label where organization_id = ${larkfield}) as labelled,
      (select count(distinct ticket_id)::int from subscription where organization_id = ${larkfield} and enabled) as watched,
      (select count(*)::int from comment_reaction where organization_id = ${larkfield} and created_at <= now()) as reactions,
      (select count(*)::int from mention m join comment c on c.organization_id = ${larkfield} and c.id = m.comment_id
        join user_account u on u.id = m.user_id and c.text like '%@' || u.login || '%' and u.id <> c.author_id
        where m.organization_id = ${larkfield}) as mentions,
      (select count(*)::int from (select changed_at < max(changed_at) over (order by id) as late from change
        where organization_id = ${larkfield} and subject = 'ticket' and field <> 'Attachment') c where late) as "historyOutOfOrder"`.execute(
    db,
  )
  expect(teamwork[0]).toMatchObject({ labels: 14, shared: 3, historyOutOfOrder: 0 })
  expect(teamwork[0]?.labelled).toBeGreaterThan(120)
  expect(teamwork[0]?.watched).toBeGreaterThan(25)
  expect(teamwork[0]?.reactions).toBeGreaterThan(25)
  expect(teamwork[0]?.mentions).toBeGreaterThan(3)

  const { rows: links } = await sql<{ kind: string; count: number; kept: number }>`
    select l.kind, count(*)::int as count, count(*) filter (where (
      select count(*) from change c where c.organization_id = ${larkfield} and c.field = 'Link' and c.ticket_id in (l.from_ticket_id, l.to_ticket_id)
        and c.after::jsonb ->> 'idTicket' in (l.from_ticket_id::text, l.to_ticket_id::text)) = 2)::int as kept
    from ticket_link l where l.organization_id = ${larkfield} group by l.kind order by l.kind`.execute(db)
  expect(links).toEqual([
    { kind: 'blocks', count: expect.toSatisfy((count: number) => count > 10), kept: links[0]?.count },
    { kind: 'duplicates', count: 2, kept: 2 },
    { kind: 'relates', count: 6, kept: 6 },
  ])
  const { rows: circles } = await sql`
    with recursive way (first, at) as (
      select from_ticket_id, to_ticket_id from ticket_link where organization_id = ${larkfield} and kind = 'blocks'
      union select way.first, l.to_ticket_id from way
      join ticket_link l on l.organization_id = ${larkfield} and l.kind = 'blocks' and l.from_ticket_id = way.at)
    select first from way where first = at`.execute(db)
  expect(circles).toEqual([])

  const { rows: texts } = await sql<{ text: string }>`
    select text from comment where organization_id = ${larkfield}
    union all select value from ticket_value where organization_id = ${larkfield}`.execute(db)
  const written = (pattern: RegExp) => texts.filter(({ text }) => pattern.test(text)).length
  for (const markdown of [/^- \*{0,2}\w/m, /^- \[x\] /m, /^- \[ \] /m, /^```\w+$/m, /\*\*/])
    expect(written(markdown), String(markdown)).toBeGreaterThan(5)
  expect(written(/[%{]\w+\}|%/)).toBe(0)
  const keys = texts.flatMap(({ text }) =>
    [...text.matchAll(/\b(RIDE|DOCK|OPS|WEB)-(\d+)/g)].map(([, code, id]) => [code, Number(id)] as const),
  )
  expect(keys.length).toBeGreaterThan(30)
  const { rows: unknown } = await sql`
    select k.* from jsonb_to_recordset(${JSON.stringify(keys.map(([code, id]) => ({ code, id })))}::jsonb) as k (code text, id bigint)
    where not exists (select 1 from ticket t join project p on p.organization_id = ${larkfield} and p.id = t.project_id and p.short_code = k.code
      where t.organization_id = ${larkfield} and t.id = k.id)`.execute(db)
  expect(unknown).toEqual([])

  const templates = (await server.as(caller, getTicketTemplateList, { idProject })).body
  const idTicketTemplate = templates.find(({ Description }) => Description === 'Story')?.idTicketTemplate ?? 0
  const template = await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate })
  expect(template.body.Defaults?.Children).toHaveLength(3)
  expect(template.body.Defaults?.data?.description).toContain('- [ ] ')

  // The short golden set of the search; the long one is `npm run torture:search`.
  const { rows: leads } = await sql<{ id: number }>`select u.id from user_account u where login = 'mara' and exists (
    select 1 from organization_member m where m.organization_id = ${larkfield} and m.user_id = u.id)`.execute(db)
  const mara = await server.signedIn(leads[0]?.id as number, larkfield)
  const search = async (Query: string) =>
    (await server.as(mara, searchTickets, { Query, Limit: 10 })).body.Tickets.map(({ Title }) => Title)
  expect(await recallAt10(demoQueries, search)).toEqual({ recall: 1, missed: [] })
  const mistyped = demoQueries.map((each, index) => ({ ...each, query: withTypos(each.query, index) }))
  const { recall, missed } = await recallAt10(mistyped, search)
  expect.soft(missed.slice(2)).toEqual([])
  expect(recall).toBeGreaterThanOrEqual(0.9)

  // The charts of every project, counted again from the raw history, and the lists behind their numbers.
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const range = { From: day(200), To: day(2), Zone: 'Europe/Berlin' }
  const projects = await db.selectFrom('project').select('id').where('organization_id', '=', larkfield).execute()
  let events = 0
  for (const { id } of projects) {
    const { status, body } = await server.as(mara, getProjectStatistics, { idProject: id, ...range })
    expect(status).toBe(200)
    expect(body.Days).toEqual(await rawDays(db, larkfield, id, range.From, range.To, range.Zone))
    events += body.Days.reduce((sum, { Closed, Reopened }) => sum + Closed + Reopened, 0)
    const { ages, toActive, toInactive } = await rawTimes(db, larkfield, id, range.From, range.To, range.Zone)
    expect([body.Open.Tickets, body.Closed.Tickets]).toEqual([ages.length, toInactive.length])
    expect(body.Open.Ages.reduce((sum, { Tickets }) => sum + Tickets, 0)).toBe(ages.length)
    for (const [sorted, spread] of [
      [ages, body.Open.Age],
      [toActive, body.Closed.ToActive],
      [toInactive, body.Closed.ToInactive],
    ] as const) {
      if (sorted.length === 0) expect(spread).toEqual({ Median: null, P85: null })
      else {
        expect(spread.Median).toBeCloseTo(percentile(sorted, 0.5), 2)
        expect(spread.P85).toBeCloseTo(percentile(sorted, 0.85), 2)
      }
    }
    const found = async (Query: string) => (await server.as(mara, searchTickets, { Query, idProject: id, Zone: range.Zone })).body.Total
    for (const { Day, Created, Proposed, Active, Inactive } of body.Days.filter((_, index) => index % 100 === 50))
      expect([
        await found(`created:${Day}`),
        await found(`phase:proposed@${Day}`),
        await found(`phase:active@${Day}`),
        await found(`phase:inactive@${Day}`),
      ]).toEqual([Created, Proposed, Active, Inactive])
  }
  expect(events).toBeGreaterThan(50)
})
