import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { createCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { propertyType } from '@tessera/contract/projects/project-config'
import { restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import ICAL from 'ical.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAssignment, makeField, makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, executeUnlimited, serverOfFile, unguarded } from '../../../../test/servers/server.ts'
import { onRun } from '../../../db/db.ts'

const server = await serverOfFile()

/** The day so many days from now, in UTC. */
function dayIn(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** A project with a date field, Ann, who sees its tickets, and functions for dated tickets and feeds. */
async function feedWorld() {
  const world = await peopledProject(server, { shortCode: 'OPS' })
  const { organization, project, idProject } = world
  const due = await makeField(server.db, organization, project, 'due', 'DATE')
  const ann = await world.someone([permission.viewTickets])
  const onDay = async (day: string, title: string, options: Parameters<typeof makeTicket>[3] = {}) => {
    const id = await makeTicket(server.db, organization, project, { title, ...options })
    await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${id}, ${due}, ${day})`
    return id
  }
  const feed = async (Query = '', who: Caller = ann) => {
    const answer = await server.as(who, createCalendarFeed, { idProject, Name: 'Deadlines, all', Query, Field: 'due' })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return new URL(answer.body.Address).pathname
  }
  return { ...world, due, ann, onDay, feed }
}

async function fetch(url: string, headers: Record<string, string> = {}) {
  return server.app.inject({ url, headers })
}
/** The feed as an independent parser reads it. */
async function calendar(url: string) {
  const { statusCode, headers, body } = await fetch(url)
  expect([statusCode, headers['content-type'], body.endsWith('END:VCALENDAR\r\n')]).toEqual([200, 'text/calendar; charset=utf-8', true])
  const root = new ICAL.Component(ICAL.parse(body))
  const events = root.getAllSubcomponents('vevent').map(each => {
    const of = (name: string) => String(each.getFirstPropertyValue(name))
    return { uid: of('uid'), summary: of('summary'), day: of('dtstart'), description: of('description'), url: of('url') }
  })
  return { root, events, summaries: events.map(({ summary }) => summary) }
}

test('a feed has the tickets that its query finds for its owner, on their days, and nothing else', async () => {
  const { organization, project, ann, onDay, feed } = await feedWorld()
  const hostile = 'Ø 発注, "契約"; مراجعة \\ 👩‍👩‍👧 BEGIN:VEVENT'
  const first = await onDay(dayIn(3), hostile)
  const done = await onDay(dayIn(-2), 'Ship it', { stateId: project.states.done })
  const longest = await onDay(dayIn(4), '🙂'.repeat(limits.ticketTitle))
  await onDay(dayIn(-380), 'Long ago')
  await onDay(dayIn(800), 'Far ahead')
  await makeTicket(server.db, organization, project, { title: 'Without a day' })
  // In another project that she sees, with a field of the same key.
  const beside = await makeProject(server.db, organization)
  await makeMember(server.db, organization, beside.projectId, ann.idUser, 'all')
  const elsewhere = await makeTicket(server.db, organization, beside, { title: 'Beside' })
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    values (${organization}, ${elsewhere}, ${await makeField(server.db, organization, beside, 'due', 'DATE')}, ${dayIn(3)})`
  await makeAssignment(server.db, organization, project, done, ann.idUser)

  const { root, events, summaries } = await calendar(await feed())
  expect(events).toEqual([
    {
      uid: `ticket-${organization}-${done}-due@localhost`,
      summary: `✓ OPS-${done} Ship it`,
      day: dayIn(-2),
      description: 'State: Done (Inactive)',
      url: `http://localhost:3000/view-ticket/${done}`,
    },
    expect.objectContaining({ summary: `OPS-${first} ${hostile}`, day: dayIn(3), description: 'State: Open (Proposed)' }),
    expect.objectContaining({ summary: `OPS-${longest} ${'🙂'.repeat(limits.ticketTitle)}`, day: dayIn(4) }),
  ])
  expect(summaries).toHaveLength(3)
  expect(String(root.getFirstPropertyValue('description'))).toBe('The tickets of OPS\nOn the days of: due')
  // The parser does not know these two as text.
  for (const name of ['name', 'x-wr-calname']) expect(root.getFirstPropertyValue(name)).toBe('Deadlines\\, all')
  expect(String(root.getFirstPropertyValue('refresh-interval'))).toBe('PT1H')

  const found = async (query: string) =>
    (await calendar(await feed(query))).summaries.map(summary => Number(/OPS-(\d+)/.exec(summary)?.[1]))
  // `me` is the owner of the feed, who need not be the one who reads it.
  expect(await found('assignee:me')).toEqual([done])
  expect(await found('-assignee:me sort:-updated')).toEqual([first, longest])
  expect(await found('is:open (契約 or ship) or state:done')).toEqual([done, first])
  expect(await found('due:<today')).toEqual([done])
  expect(await found('is:trashed')).toEqual([])
})

test('a change of a ticket shows at the next fetch, a ticket in the trash does not, and an unchanged feed is not sent again', async () => {
  const { onDay, feed, someone, organization } = await feedWorld()
  const [editor, idTicket] = [await someone('all'), await onDay(dayIn(1), 'Before')]
  const url = await feed()
  const { headers } = await fetch(url)
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  })
  const etag = String(headers.etag)
  const again = await fetch(url, { 'if-none-match': etag })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])

  await server.as(editor, setTicketData, { idTicket, Title: 'After', data: { due: dayIn(2) } })
  expect((await fetch(url, { 'if-none-match': etag })).statusCode).toBe(200)
  expect((await calendar(url)).events).toMatchObject([
    { uid: `ticket-${organization}-${idTicket}-due@localhost`, summary: `OPS-${idTicket} After`, day: dayIn(2) },
  ])
  await server.as(editor, trashTicket, { idTicket })
  expect((await calendar(url)).summaries).toEqual([])
  await server.as(editor, restoreTicket, { idTicket })
  expect((await calendar(url)).summaries).toHaveLength(1)

  const head = await server.app.inject({ method: 'HEAD', url })
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'text/calendar; charset=utf-8'])
  // The session cookie of a person who may do more changes nothing.
  const withCookie = await server.app.inject({ url, cookies: editor.cookies })
  expect(withCookie.body).toBe((await fetch(url)).body)
  expect((await server.app.inject({ method: 'POST', url })).statusCode).toBe(404)
})

/** What takes the right to read the feed, and gives it back. */
const rights: Record<
  string,
  (who: Caller & { idProjectMember: number }, idProject: number) => [take: Promise<unknown>, () => Promise<unknown>]
> = {
  'the account is deactivated': ({ idUser }) => [
    server.sql`update user_account set disabled = true where id = ${idUser}`,
    () => server.sql`update user_account set disabled = false where id = ${idUser}`,
  ],
  'View tickets is revoked': ({ orgid, idProjectMember }) => [
    server.sql`update project_member set permissions = 6 where organization_id = ${orgid} and id = ${idProjectMember}`,
    () => server.sql`update project_member set permissions = 1 where organization_id = ${orgid} and id = ${idProjectMember}`,
  ],
  'the project is archived': ({ orgid }, idProject) => [
    server.sql`update project set archived_at = now() where organization_id = ${orgid} and id = ${idProject}`,
    () => server.sql`update project set archived_at = null where organization_id = ${orgid} and id = ${idProject}`,
  ],
}
const ends: Record<string, (who: Caller & { idProjectMember: number }) => Promise<unknown>> = {
  'the person leaves the project': ({ orgid, idProjectMember }) =>
    server.sql`delete from project_member where organization_id = ${orgid} and id = ${idProjectMember}`,
  'the person leaves the organization': ({ orgid, idUser }) =>
    server.sql`delete from organization_member where organization_id = ${orgid} and user_id = ${idUser}`,
  'the person is deleted': ({ idUser }) => server.sql`delete from user_account where id = ${idUser}`,
}

/** An answer without what differs between any two. */
async function bare(url: string) {
  const { statusCode, headers, rawPayload } = await fetch(url)
  const { date: _, 'content-security-policy': policy, ...rest } = headers
  return { statusCode, headers: { ...rest, policy: String(policy).replaceAll(/nonce-\w+/g, '') }, body: rawPayload.toString('hex') }
}

test('the owner’s rights count at each fetch; without them a feed is answered like one that never existed, byte for byte', async () => {
  const { idProject, elsewhere, ann, someone, onDay, feed } = await feedWorld()
  await onDay(dayIn(1), 'Secret')
  const admin = await server.signedIn(await makeUser(server.db, ann.orgid, { admin: true }), ann.orgid)
  const unknown = await bare(`/calendar-feed/${ann.orgid}-${'x'.repeat(43)}.ics`)
  expect(unknown.statusCode).toBe(404)
  for (const [what, change] of Object.entries(rights)) {
    const who = await someone([permission.viewTickets])
    const url = await feed('', who)
    const [taken, giveBack] = change(who, idProject)
    await taken
    expect(await bare(url), what).toEqual(unknown)
    await giveBack()
    expect((await fetch(url)).statusCode, what).toBe(200)
  }
  for (const [what, end] of Object.entries(ends)) {
    const who = await someone([permission.viewTickets])
    const url = await feed('', who)
    await end(who)
    expect(await bare(url), what).toEqual(unknown)
  }
  // An administrator sees the project without being a member of it.
  const ofAdmin = await feed('', admin)
  expect((await calendar(ofAdmin)).summaries).toHaveLength(1)
  await server.sql`update organization_member set admin = false where organization_id = ${ann.orgid} and user_id = ${admin.idUser}`
  expect(await bare(ofAdmin)).toEqual(unknown)
  // The secret belongs to its organization, and is compared as a whole.
  const url = await feed()
  const of = (organization: number | string) => url.replace(/\d+/, String(organization))
  for (const wrong of [
    of(elsewhere),
    of(0),
    of(`0${ann.orgid}`),
    url.slice(0, -5),
    url.replace('.ics', ''),
    `${url}/`,
    '/calendar-feed/',
    url.toUpperCase().replace(/^.*\//, '/calendar-feed/'),
  ])
    expect(await bare(wrong), wrong).toEqual(unknown)
  // One that the router cannot read.
  expect(await bare('/calendar-feed/%ff.ics')).toMatchObject({ statusCode: 404, body: unknown.body })
})

test('wrong addresses are throttled by who asks, and right ones are answered all the same', async () => {
  const { ann, feed } = await feedWorld()
  const url = await feed()
  const from = async (remoteAddress: string, path: string) => (await server.app.inject({ url: path, remoteAddress })).statusCode
  const wrong = `/calendar-feed/${ann.orgid}-${'y'.repeat(43)}.ics`
  const statuses: number[] = []
  for (let attempt = 0; attempt < 51; attempt++) statuses.push(await from('192.0.2.7', wrong))
  expect([statuses.slice(0, 50).every(status => status === 404), statuses[50]]).toEqual([true, 429])
  expect([await from('192.0.2.7', url), await from('192.0.2.8', wrong)]).toEqual([200, 404])
})

test('of too many tickets those of the coming days are kept, and an event of today says so', async () => {
  const { organization, due, onDay, feed } = await feedWorld()
  const past = await onDay(dayIn(-5), 'Past')
  const template = await onDay(dayIn(700), 'Last')
  await executeUnlimited(
    server,
    sql`
    with made as (
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select organization_id, project_id, template_id, state_id, 'Many ' || n from ticket, generate_series(1, ${limits.feedTickets - 1}::int) n
      where organization_id = ${organization} and id = ${template} returning id
    ) insert into ticket_value (organization_id, ticket_id, field_id, value) select ${organization}, id, ${due}, ${dayIn(10)} from made`,
  )
  const url = await feed()
  const { events, summaries } = await calendar(url)
  expect(events[0]).toMatchObject({ summary: 'Only 2,000 of 2,001 tickets are in this calendar', day: dayIn(0) })
  expect([summaries.length, summaries.at(-1), summaries.some(text => text.includes(`OPS-${past} `))]).toEqual([
    limits.feedTickets + 1,
    `OPS-${template} Last`,
    false,
  ])
  await server.sql`delete from ticket_value where organization_id = ${organization} and ticket_id = ${template}`
  expect((await calendar(url)).summaries).toContain(`OPS-${past} Past`)
})

test('a feed whose field or query the project no longer knows says so in an event of today, until it can be read again', async () => {
  const { organization, idProject, due, onDay, feed } = await feedWorld()
  const idTicket = await onDay(dayIn(1), 'Dated')
  const [plain, bySize] = [await feed(), await feed('-size:l')]
  const key = async (id: 'due' | 'size', to: string) =>
    server.sql`update field set key = ${to} where organization_id = ${organization} and project_id = ${idProject} and key = ${id}`
  await key('size', 'measure')
  expect((await calendar(plain)).summaries).toEqual([`OPS-${idTicket} Dated`])
  expect((await calendar(bySize)).events).toMatchObject([
    {
      day: dayIn(0),
      summary: 'This calendar feed cannot show its tickets anymore',
      description: expect.stringMatching(/^There is nothing named 'size'\.\nOpen the calendar/),
      url: `http://localhost:3000/view-project/${idProject}?layout=calendar`,
    },
  ])
  expect((await fetch(bySize)).body).toContain(`LAST-MODIFIED:${dayIn(0).replaceAll('-', '')}T000000Z`)
  // It is another type now: its values are no days.
  await server.sql`update field set type_id = 3 where organization_id = ${organization} and id = ${due}`
  expect((await calendar(plain)).events).toMatchObject([{ description: expect.stringContaining("no longer has the date field 'due'") }])
  await server.sql`update field set type_id = ${propertyType.DATE} where organization_id = ${organization} and id = ${due}`
  expect((await calendar(plain)).summaries).toEqual([`OPS-${idTicket} Dated`])
})

test('a fetch that takes too long is a 503, so that programs keep what they have', { tags: ['long'] }, async () => {
  const { onDay, feed } = await feedWorld()
  await onDay(dayIn(1), 'One')
  const url = await feed()
  const beside = unguarded(server.db)
  const answer = await beside.transaction().execute(async transaction => {
    await sql`lock table state`.execute(transaction)
    return fetch(url)
  })
  await beside.destroy()
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  expect((await fetch(url)).statusCode).toBe(200)
})

test('a fetch sends three statements, and notes the time once a minute', async () => {
  const { onDay, feed } = await feedWorld()
  await onDay(dayIn(1), 'One')
  const url = await feed('is:open')
  let statements = 0
  onRun(({ text }) => {
    // The time limit of the search, and live updates of what was done before.
    if (!/set local|pg_notify/.test(text)) statements++
  })
  const sent = async () => {
    statements = 0
    expect((await fetch(url)).statusCode).toBe(200)
    return statements
  }
  expect([await sent(), await sent()]).toEqual([4, 3])
})
