import { connstate } from '@tessera/contract/people/session'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  type MadeProject,
  makeMember,
  makeOrganization,
  makeProject,
  makeTicket,
  makeUser,
} from '../../../../../test/fixtures/factories.ts'
import { allMailsSent, eventually, makeAllJobsDue, startSmtp } from '../../../../../test/servers/mail.ts'
import { executeUnlimited, startServer, type TestServer, unguarded } from '../../../../../test/servers/server.ts'
import { explain, rowsRead } from '../../../../../test/statements/explain.ts'
import { recordStatements, type Sent } from '../../../../../test/statements/record-statements.ts'
import { connect, poolOf } from '../../../../db/connections/connect.ts'
import type { Db } from '../../../../db/db.ts'
import type { RunningJobs } from '../../../../lib/background/job-queue.ts'
import { startTasks } from '../../../../tasks.ts'
import { deliveries, deliverNextNotice, firstTurns } from '../jobs.ts'
import { stillTold } from '../watchers.ts'

interface Place {
  organization: number
  project: MadeProject
  author: number
  watcher: number
}

async function makePlace({ db }: TestServer, login: string): Promise<Place> {
  const organization = await makeOrganization(db)
  const project = await makeProject(db, organization)
  const author = await makeUser(db, organization)
  const watcher = await makeUser(db, organization, { login, email: `${login}@example.com` })
  await makeMember(db, organization, project.projectId, watcher, 'all')
  return { organization, project, author, watcher }
}

/** Changes the state of this many new tickets, each with one watcher. */
async function changeTickets(server: TestServer, { organization, project, author, watcher }: Place, count: number) {
  const { projectId, states } = project
  const pattern = await makeTicket(server.db, organization, project)
  const execute = (statement: RawBuilder<unknown>) => executeUnlimited(server, statement)
  await execute(sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select organization_id, project_id, template_id, state_id, 'Wheel ' || n from ticket, generate_series(2, ${count}::int) n
    where organization_id = ${organization} and id = ${pattern}`)
  await execute(sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled)
    select organization_id, id, ${watcher}, true from ticket where organization_id = ${organization}`)
  await execute(sql`
    with made as (
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id)
      select ${organization}, 1, 'ticket', id, ${projectId}, id, 'State', ${states.open}::text, ${states.doing}::text, ${author}
      from ticket where organization_id = ${organization} returning id, ticket_id
    )
    insert into ticket_notice (organization_id, ticket_id, first_change_id, first_change_at)
    select ${organization}, ticket_id, id, now() - interval '1 hour' from made`)
}

async function world(seconds = '0') {
  const smtp = await startSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, TESSERA_NOTIFICATION_SECONDS: seconds })
  const [large, small] = [await makePlace(server, 'large'), await makePlace(server, 'small')]
  let tasks: RunningJobs | undefined
  return {
    ...{ smtp, server, large, small },
    async start() {
      tasks = await startTasks(server.system, () => undefined)
    },
    async stop() {
      await tasks?.stop()
      tasks = undefined
    },
    async deliverAll() {
      while (await deliverNextNotice(server.system));
    },
    /** How many mails left before the only one of the small organization. */
    async beforeSmall({ mails } = smtp) {
      const place = () => mails.findIndex(({ to }) => to[0] === 'small@example.com')
      await eventually(() => expect(place()).toBeGreaterThanOrEqual(0))
      return place()
    },
    async [Symbol.asyncDispose]() {
      await this.stop()
      await server[Symbol.asyncDispose]()
      await smtp.stop()
    },
  }
}

/** How many rows of tables a statement reads. */
async function rowsOf(db: Db, sent: Sent) {
  const scans = (await explain(db, sent)).filter(node => node['Node Type'].endsWith('Scan') && node['Relation Name'])
  return scans.reduce((sum, node) => sum + rowsRead(node), 0)
}

test('the only mail of an organization leaves before the first 200 of the 2,000 that another waits for', async () => {
  await using w = await world()
  await changeTickets(w.server, w.large, 2000)
  await w.start()
  await eventually(() => expect(w.smtp.mails.length).toBeGreaterThan(20))
  await changeTickets(w.server, w.small, 1)
  const before = w.smtp.mails.length
  expect((await w.beforeSmall()) - before).toBeLessThan(200)
})

test("a ticket with 100 watchers does not hold up another organization's mail", async () => {
  await using w = await world()
  const { server, large } = w
  await server.sql`
    with made as (
      insert into user_account (login, email, auto_receive_notifications)
      select 'many-' || n, 'many-' || n || '@example.com', true from generate_series(1, 100) n returning id
    )
    insert into organization_member (organization_id, user_id, admin) select ${large.organization}, id, true from made`
  const idTicket = await makeTicket(server.db, large.organization, large.project)
  await server.sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled)
    select organization_id, ${idTicket}, user_id, true from organization_member where organization_id = ${large.organization} and admin`
  await changeTickets(server, large, 1)
  const named = await makeUser(server.db, large.organization, { login: 'named', email: 'named@example.com' })
  await makeMember(server.db, large.organization, large.project.projectId, named, [1])
  await server.as(await server.signedIn(large.watcher, large.organization), setTicketComment, { idTicket, Comment: 'Please look, @named' })
  await w.deliverAll()
  // Whoever is mentioned is not behind those who only watch.
  const waiting = await server.sql<{ named: number; first: number; last: number }>`
    select min(priority) filter (where payload #>> '{about,userId}' = ${String(named)}) as named, min(priority) as first, max(priority) as last
    from graphile_worker._private_jobs where payload -> 'about' is not null`
  expect(waiting).toEqual([{ named: 1, first: 1, last: 2 }])
  await changeTickets(server, w.small, 1)
  await w.deliverAll()
  await w.start()
  expect(await w.beforeSmall()).toBeLessThan(50)
  await eventually(() => expect(new Set(w.smtp.mails.map(({ to }) => to[0])).size).toBe(103))

  // Each of these mails asks whether its person still watches the ticket.
  const values = [large.organization, large.project.projectId, large.watcher, [idTicket], [], []]
  const free = unguarded(server.db)
  expect(await rowsOf(free, { text: stillTold.text, values })).toBeLessThan(20)
  await free.destroy()
})

test('after an outage of the mail server, new mails leave before those that are tried again', async () => {
  await using w = await world()
  const { server, smtp } = w
  await changeTickets(server, w.large, 60)
  await smtp.stop()
  await w.start()
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where run_at > now() + interval '10 seconds'`
    expect(rows).toHaveLength(60)
  })
  await w.stop()
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await changeTickets(server, w.small, 1)
  await w.deliverAll()
  await w.start()
  expect(await w.beforeSmall(again)).toBeLessThan(10)
  await allMailsSent(server.db)
  expect(again.mails).toHaveLength(61)
  await again.stop()
})

test('a notice takes few statements, and those of the next organization are found without reading the others', async () => {
  await using w = await world()
  const { server, large, small } = w
  await changeTickets(server, large, 1000)
  await changeTickets(server, small, 20)
  const free = unguarded(server.db)
  await sql`analyze ticket_notice`.execute(free)
  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const turns = firstTurns()
  recorder.start()
  for (let n = 0; n < 8; n++) expect(await deliverNextNotice({ ...server.system, db }, turns)).toBe(true)
  const sent = recorder.stop()
  const jobs = await server.sql<{ organization: number }>`
    select (payload -> 'about' ->> 'organizationId')::int as organization from graphile_worker._private_jobs order by id`
  const order = jobs.map(({ organization }) => organization)
  const round = [...Array(5).fill(large.organization), ...Array(5).fill(small.organization)]
  expect(order).toEqual([round, round, round, round].flat())
  // Seven of its own, and six for five to find them and to end their bursts; a few times the organizations begin again.
  expect(sent.length).toBeLessThanOrEqual(7 * 40 + 8 * 6 + 2 * 4)

  const finding = sent.filter(({ text }) => text.includes('order by organization_id'))
  for (const each of finding) expect(await rowsOf(free, each)).toBeLessThan(20)
  await Promise.all([db.destroy(), free.destroy()])
})

test('tickets that are locked hold up their own mails, not those of other tickets', async () => {
  await using w = await world()
  const { server, large, small } = w
  await changeTickets(server, large, 12)
  await changeTickets(server, small, 1)
  const mailed = async () => {
    while (await deliverNextNotice(server.system));
    const jobs = await server.sql<{ ticket: number }>`
      select (payload #>> '{about,ticketId}')::int as ticket from graphile_worker._private_jobs order by 1`
    return jobs.map(({ ticket }) => ticket)
  }
  const tickets = await server.sql<{ id: number; organization: number }>`
    /* all organizations: job */ select ticket_id::int as id, organization_id::int as organization from ticket_notice order by first_change_at, ticket_id`
  const held = tickets.filter(({ organization }) => organization === large.organization).slice(0, 11)
  await server.db.transaction().execute(async db => {
    const ids = held.map(({ id }) => id)
    await sql`select 1 from ticket where organization_id = ${large.organization} and id = any(${ids}::bigint[]) for no key update`.execute(
      db,
    )
    expect(await mailed()).toEqual(tickets.map(({ id }) => id).filter(id => !ids.includes(id)))
  })
  expect(await mailed()).toHaveLength(13)
})

test("bursts of an organization that cannot be queued do not hold up another organization's mails", async () => {
  await using w = await world()
  const { server, large, small } = w
  await changeTickets(server, large, 20)
  await changeTickets(server, small, 1)
  const free = unguarded(server.db)
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.payload #>> '{about,organizationId}' = '${sql.raw(String(large.organization))}' then raise exception 'no space'; end if;
      return new;
    end $$`.execute(free)
  await sql`create trigger refuse before insert on graphile_worker._private_jobs for each row execute function refuse()`.execute(free)
  const turns = firstTurns()
  const results = []
  for (let n = 0; n < 4; n++) results.push(await deliverNextNotice(server.system, turns).catch((error: Error) => error.message))
  expect(results).toContain('no space')
  const jobs = await server.sql<{ organization: number }>`
    select (payload #>> '{about,organizationId}')::int as organization from graphile_worker._private_jobs`
  expect(jobs).toEqual([{ organization: small.organization }])
  await free.destroy()
})

test('notices become mails without a rest as long as nobody uses the server', async () => {
  await using w = await world('60')
  const { server, large } = w
  await changeTickets(server, large, 100)
  const report = (error: unknown) => expect.soft(error).toBeUndefined()
  const { config } = server.system
  const deliver = deliveries(server.system, report)
  const use = async () => {
    const before = server.system.requests.answered
    await server.as(null, connstate, {})
    await eventually(() => expect(server.system.requests.answered).toBeGreaterThan(before))
  }
  // A process that leaves the requests to workers does not see them.
  expect(await deliveries({ ...server.system, config: { ...config, workers: 2 } }, report)()).toBeGreaterThan(0)
  expect(await deliver()).toBe(0)
  await use()
  expect(await deliver()).toBeGreaterThan(0)
  // Five mails each.
  for (let n = 0; n < 7; n++) expect(await deliver()).toBe(0)
  // So many are due that further ones would only wait.
  const many = await deliver()
  await use()
  expect(await deliver()).toBeGreaterThan(10 * many)
  expect(await server.sql`select 1 from graphile_worker.jobs`).toHaveLength(50)
  // Those that are tried later, or never again, hold up no others.
  for (const change of [sql`run_at = now() + interval '1 hour'`, sql`run_at = now(), attempts = max_attempts`]) {
    await server.sql`update graphile_worker._private_jobs set ${change}`
    expect(await deliver()).toBe(0)
  }
})

test('several processes deliver each burst once, and a failing one does not delay the others', async () => {
  const smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url, TESSERA_NOTIFICATION_SECONDS: '0' })
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const [ann, bob] = [await makeUser(server.db, organization), await makeUser(server.db, organization)]
  for (const user of [ann, bob]) await makeMember(server.db, organization, project.projectId, user, 'all')
  const caller = await server.signedIn(ann, organization)
  for (let index = 0; index < 20; index++) {
    const idTicket = await makeTicket(server.db, organization, project)
    await server.sql`
      insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${idTicket}, ${bob}, true)`
    await server.as(caller, setTicketComment, { idTicket, Comment: 'x' })
  }
  const free = unguarded(server.db)
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$`.execute(free)
  await sql`create trigger refuse before insert on graphile_worker._private_jobs execute function refuse()`.execute(free)
  await expect(deliverNextNotice(server.system)).rejects.toThrow('no space')
  await sql`drop function refuse cascade`.execute(free)
  await free.destroy()
  const turns = async () => {
    while (await deliverNextNotice(server.system));
  }
  await Promise.all([turns(), turns(), turns(), turns()])
  const jobs = await server.sql<{ count: number }>`select count(*)::int as count from graphile_worker.jobs`
  expect(jobs[0]?.count).toBe(19)
  await server.sql`/* all organizations: job */ update ticket_burst set ended_at = now()`
  await turns()
  expect((await server.sql<{ count: number }>`select count(*)::int as count from graphile_worker.jobs`)[0]?.count).toBe(20)
  await smtp.stop()
})
