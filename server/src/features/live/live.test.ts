import { randomUUID } from 'node:crypto'
import { events } from '@tessera/contract/projects/live'
import { getProjectMembers, removeProjectMember } from '@tessera/contract/projects/projects'
import { deleteViews, restoreViews, setView, setViewOrder } from '@tessera/contract/projects/views'
import { moveTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification, setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { addressOf, listenTo } from '../../../test/servers/event-stream.ts'
import { type Caller, startServer, type TestServer, unguarded } from '../../../test/servers/server.ts'
import { buildApp } from '../../app.ts'
import { fold } from '../../live/live-messages.ts'
import { closeSystem, createSystem } from '../../process/system.ts'

async function setUp(server: TestServer) {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const idTicket = await makeTicket(server.db, organization, project)
  const person = async (permissions: number[] | null, organizationId = organization) => {
    const id = await makeUser(server.db, organizationId)
    if (permissions) await makeMember(server.db, organizationId, project.projectId, id, permissions)
    return server.signedIn(id, organizationId)
  }
  const rename = (caller: Caller, Title: string, through = server.app) => server.as(caller, setTicketData, { idTicket, Title }, {}, through)
  return { organization, project, idTicket, person, rename, change: { idProject: project.projectId, idTicket, kind: 'set-ticket-data' } }
}

test('a save is announced to readers of every process within a second, and to nobody who may not see the project', async () => {
  await using server = await startServer()
  const second = await server.another()
  const { project, idTicket, person, rename, change } = await setUp(server)
  const [ann, bob, unpermitted, outsider] = [await person([1, 3]), await person([1]), await person([2, 3]), await person(null)]
  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  const admin = await server.signedIn(await makeUser(server.db, ann.orgid, { admin: true }), ann.orgid)
  const here = await listenTo(server.app, bob)
  const there = await listenTo(second.app, bob)
  const own = await listenTo(second.app, ann)
  const administrator = await listenTo(server.app, admin)
  const strangers = [await listenTo(server.app, unpermitted), await listenTo(second.app, outsider), await listenTo(second.app, foreigner)]
  expect(here.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(here.answer.headers.get('content-encoding')).toBeNull()
  expect(here.answer.headers.get('cache-control')).toBe('no-store')

  for (const [count, through] of [
    [1, server.app],
    [2, second.app],
  ] as const) {
    const before = performance.now()
    expect((await rename(ann, `Title ${count}`, through)).status).toBe(200)
    for (const reader of [here, there, own, administrator]) {
      await expect.poll(() => reader.changes().length, { interval: 5 }).toBe(count)
      expect((reader.received.at(-1)?.at ?? 0) - before).toBeLessThan(5000)
      expect(reader.changes().at(-1)).toEqual(change)
    }
  }
  // A refused call sends no event.
  expect((await server.as(bob, moveTicket, { idTicket, idParent: null })).status).toBe(422)
  await rename(ann, 'three')
  // The other process reads the permission when the event reaches it, so it must have come before the permission is taken.
  for (const reader of [here, there, own]) await expect.poll(() => reader.changes()).toEqual([change, change, change])
  for (const stranger of strangers) expect(stranger.received.map(({ event }) => event)).toEqual(['ready'])

  // The permission is read anew with each event.
  await server.sql`update project_member set permissions = 2 where organization_id = ${ann.orgid} and project_id = ${project.projectId} and user_id = ${bob.idUser}`
  await rename(ann, 'four')
  await expect.poll(() => own.changes().length).toBe(4)
  expect([here.changes().length, there.changes().length]).toEqual([3, 3])
})

test('events of private views and watched tickets reach that person alone, in every process; those of shared views reach all', async () => {
  await using server = await startServer()
  const second = await server.another()
  const { project, idTicket, person, rename, change } = await setUp(server)
  const [ann, bob] = [await person([1, 3]), await person([1, 13])]
  const readers = [
    await listenTo(server.app, ann),
    await listenTo(second.app, ann),
    await listenTo(server.app, bob),
    await listenTo(second.app, bob),
  ]
  const { projectId: idProject } = project
  const key = randomUUID()
  const view = await server.as(ann, setView, { idProject, Name: 'Mine' }, { 'idempotency-key': key })
  const ids = [view.body.idView]
  await server.as(ann, setView, { idProject, Name: 'Mine' }, { 'idempotency-key': key })
  await server.as(ann, setViewOrder, { idProject, SortOrder: ids })
  await server.as(ann, deleteViews, { idProject, ids })
  await server.as(ann, restoreViews, { idProject, ids })
  await server.as(ann, setTicketNotification, { idTicket, Notify: 1 })
  await server.as(ann, setTicketWatcher, { idTicket, idUser: ann.idUser, Watch: 0 })
  await rename(ann, 'after what is private')
  const kinds = (reader: (typeof readers)[number]) => [...new Set(reader.changes().map(each => (each as typeof change).kind))].sort()
  const calls = [setView, setViewOrder, deleteViews, restoreViews, setTicketNotification, setTicketWatcher, setTicketData]
  const ofAnn = calls.map(({ name }) => name).sort()
  // Ann's pages first: what they have been told, Bob's would have been told too.
  for (const [index, reader] of readers.entries()) await expect.poll(() => kinds(reader)).toEqual(index < 2 ? ofAnn : [change.kind])
  await server.as(ann, setTicketWatcher, { idTicket, idUser: bob.idUser, Watch: 1 })
  await server.as(ann, setView, { idProject, idView: ids[0], Scope: 'project' })
  for (const call of [deleteViews, restoreViews]) await server.as(ann, call, { idProject, ids })
  const forAll = [change.kind, 'delete-views', 'restore-views', 'set-ticket-watcher', 'set-view'].sort()
  for (const reader of readers.slice(2)) await expect.poll(() => kinds(reader)).toEqual(forAll)
  // It leaves their lists when it becomes private again.
  await server.as(ann, setView, { idProject, idView: ids[0], Scope: 'private' })
  const saves = (reader: (typeof readers)[number]) => reader.changes().filter(each => (each as typeof change).kind === 'set-view').length
  for (const reader of readers.slice(2)) await expect.poll(() => saves(reader)).toBe(2)
})

test('a person who loses a project gets resync, and nobody else', async () => {
  await using server = await startServer()
  const { project, person } = await setUp(server)
  const [lead, ann, outsider] = [await person([1, 13]), await person([1]), await person(null)]
  const [leads, anns, others] = [await listenTo(server.app, lead), await listenTo(server.app, ann), await listenTo(server.app, outsider)]
  const idProject = project.projectId
  const { body } = await server.as(lead, getProjectMembers, { idProject })
  const idProjectMember = body.find(({ idUser }) => idUser === ann.idUser)?.idProjectMember ?? 0
  expect((await server.as(lead, removeProjectMember, { idProject, idProjectMember })).status).toBe(200)
  await expect.poll(() => anns.received.map(({ event }) => event)).toEqual(['ready', 'resync'])
  expect(leads.changes()).toEqual([{ idProject, kind: 'remove-project-member' }])
  expect(others.received.map(({ event }) => event)).toEqual(['ready'])
})

test('a session that ended gets one `end` and no more; a stream does not keep a session alive', async () => {
  await using server = await startServer()
  const { organization, person, rename } = await setUp(server)
  const [ann, bob] = [await person([1, 3]), await person([1])]
  const seen = async () =>
    (
      await server.sql<{ at: Date }>`
        select last_seen_at as at from session where organization_id = ${organization} and user_id = ${bob.idUser}`
    )[0]?.at
  await server.sql`update session set last_seen_at = now() - interval '30 minutes' where organization_id = ${organization} and user_id = ${bob.idUser}`
  const before = await seen()
  const reader = await listenTo(server.app, bob)
  await rename(ann, 'one')
  await expect.poll(() => reader.changes().length).toBe(1)
  expect(await seen()).toEqual(before)

  await server.sql`update session set ended_at = now(), end_reason = 'revoked' where organization_id = ${organization} and user_id = ${bob.idUser}`
  await rename(ann, 'two')
  await expect.poll(reader.isOver).toBe(true)
  expect(reader.received.map(({ event }) => event)).toEqual(['ready', 'change', 'end'])
  expect((await listenTo(server.app, bob)).answer.status).toBe(403)
  expect((await fetch(`${await addressOf(server.app)}${events.path}`)).status).toBe(403)
  expect(server.system.live.streams).toBe(0)
})

test('five streams for a session, and a closed one makes room', async () => {
  await using server = await startServer()
  const { person } = await setUp(server)
  const ann = await person([1])
  const streams = []
  for (let i = 0; i < 5; i++) streams.push(await listenTo(server.app, ann))
  const sixth = await listenTo(server.app, ann)
  expect(sixth.answer.status).toBe(429)
  expect(sixth.answer.headers.get('retry-after')).toBe('30')
  streams[0]?.close()
  await expect.poll(() => server.system.live.streams).toBe(4)
  expect((await listenTo(server.app, ann)).answer.status).toBe(200)
})

test('twenty streams for a person, whatever number of sign-ins; others have their own', async () => {
  await using server = await startServer()
  const { person } = await setUp(server)
  const [ann, bob] = [await person([1]), await person([1])]
  const streams = []
  for (let signIn = 0; signIn < 4; signIn++) {
    const again = await server.signedIn(ann.idUser, ann.orgid)
    for (let i = 0; i < 5; i++) streams.push(await listenTo(server.app, again))
  }
  expect(streams.map(({ answer }) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
  const { answer } = await listenTo(server.app, ann)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30'])
  expect((await listenTo(server.app, bob)).answer.status).toBe(200)
  streams[0]?.close()
  await expect.poll(() => server.system.live.streams).toBe(20)
  expect((await listenTo(server.app, ann)).answer.status).toBe(200)
})

test('a failed notification, delivery or connection is reported once, counted, and followed by resync', async () => {
  await using server = await startServer()
  const { person, rename } = await setUp(server)
  const reports: string[] = []
  const system = await createSystem(server.system.config, server.db, message => reports.push(message))
  const app = await buildApp(system)
  const [ann, bob] = [await person([1, 3]), await person([1])]
  const reader = await listenTo(app, bob)
  const metric = async (name: string) =>
    Number(new RegExp(`^tessera_live_${name} (\\d+)$`, 'm').exec((await app.inject({ url: '/metrics' })).body)?.[1])
  expect([await metric('failures_total'), await metric('hearing'), await metric('streams')]).toEqual([0, 1, 1])

  await using beside = unguarded(server.db)
  await sql`alter function pg_catalog.pg_notify rename to not_now`.execute(beside)
  await rename(ann, 'one', app)
  await expect.poll(() => reports).toEqual(['Changes do not reach open pages'])
  await rename(ann, 'two', app)
  await expect.poll(() => metric('failures_total')).toBeGreaterThanOrEqual(2)
  expect([reports.length, reader.changes()]).toEqual([1, []])
  await sql`alter function pg_catalog.not_now rename to pg_notify`.execute(beside)
  await expect.poll(() => reader.changes().length).toBe(1)
  expect(reports).toEqual(['Changes do not reach open pages', 'Changes reach open pages again'])

  // The reader's rights cannot be read, so it gets resync.
  await sql`alter table project_member rename to away`.execute(beside)
  system.live.publish({ organizationId: ann.orgid, projectId: 1, call: setTicketData })
  await expect.poll(() => reader.received.at(-1)?.event).toBe('resync')
  await sql`alter table away rename to project_member`.execute(beside)
  await rename(ann, 'three', app)
  await expect.poll(() => reader.changes().length).toBe(2)

  await server.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
  await expect.poll(() => reports.length).toBe(6)
  await expect.poll(() => metric('hearing')).toBe(1)
  await rename(ann, 'four', app)
  await expect.poll(() => reader.changes().length).toBe(3)
  await app.close()
  await closeSystem(system)
  expect(reports).toHaveLength(6)
})

test('when the listening connection breaks, readers get resync and events go on', async () => {
  await using server = await startServer()
  const { person, rename } = await setUp(server)
  const [ann, bob] = [await person([1, 3]), await person([1])]
  const reader = await listenTo(server.app, bob)
  const killed = await server.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
  expect(killed).toHaveLength(1)
  await expect.poll(() => reader.received.map(({ event }) => event)).toEqual(['ready', 'resync'])
  await rename(ann, 'after')
  await expect.poll(() => reader.changes().length).toBe(1)
})

test('a page that subscribes after reading gets the events that it missed and may see', async () => {
  await using server = await startServer()
  const { person, rename, change } = await setUp(server)
  const [ann, bob, outsider] = [await person([1, 3]), await person([1]), await person(null)]
  // The first reader of a process: nobody knows what went by before.
  const first = await listenTo(server.app, bob, 500)
  expect(first.received.map(({ event }) => event)).toEqual(['resync', 'ready'])
  await new Promise(resolve => setTimeout(resolve, 1200))
  const before = performance.now()
  const ago = () => Math.ceil(performance.now() - before)
  await rename(ann, 'between reading and listening')
  await expect.poll(() => first.changes().length).toBe(1)
  const late = await listenTo(server.app, bob, ago())
  await expect.poll(late.changes).toEqual([change])
  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  const others = [await listenTo(server.app, outsider, ago()), await listenTo(server.app, foreigner, ago())]
  others.push(await listenTo(server.app, bob))
  await rename(ann, 'after')
  await expect.poll(() => first.changes().length).toBe(2)
  expect(others.map(({ received }) => received.map(({ event }) => event))).toEqual([['ready'], ['ready'], ['ready', 'change']])
  // Further back than anybody remembers.
  expect((await listenTo(server.app, ann, 600_000)).received.map(({ event }) => event)).toEqual(['resync', 'ready'])
})

test('many changes at once arrive in few notifications, none lost', async () => {
  await using server = await startServer()
  const { organization, project, person } = await setUp(server)
  const ann = await person([1, 3])
  const reader = await listenTo(server.app, ann)
  const { live } = server.system
  for (let idTicket = 1; idTicket <= 400; idTicket++) {
    live.publish({ organizationId: organization, projectId: project.projectId, ticketId: idTicket, call: setTicketData })
    live.publish({ organizationId: organization, projectId: project.projectId, ticketId: idTicket, call: setTicketData })
  }
  await expect.poll(() => reader.changes().length).toBe(400)
  // An import: one event for the project.
  for (let idTicket = 1; idTicket <= 1000; idTicket++) {
    live.publish({ organizationId: organization, projectId: project.projectId, ticketId: idTicket, call: setTicketData })
  }
  await expect.poll(() => reader.changes().at(-1)).toEqual({ idProject: project.projectId, kind: 'many' })
  expect(reader.changes()).toHaveLength(401)
  // Changes that only one person sees are combined for that person alone.
  expect(fold(Array.from({ length: 501 }, (_, id) => [1, 2, id, setView.name, 7]))).toEqual([[1, 2, 0, 'many', 7]])
})

test('open streams do not keep the server from closing', async () => {
  await using server = await startServer()
  const { person } = await setUp(server)
  const other = await server.another()
  const reader = await listenTo(other.app, await person([1]))
  const before = performance.now()
  await other.app.close()
  expect(performance.now() - before).toBeLessThan(5000)
  await expect.poll(reader.isOver).toBe(true)
})
