import { EventEmitter } from 'node:events'
import { limits } from '@tessera/contract/limits'
import { deleteLabels } from '@tessera/contract/projects/labels'
import { setProjectData } from '@tessera/contract/projects/projects'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { poolOf } from '../src/db/connections/connect.ts'
import { withLongTime } from '../src/features/search/results/matching-ids.ts'
import { bodyTurns } from '../src/http/json/body-turns.ts'
import { Failure } from '../src/lib/failure.ts'
import { fairTurns, limitPerKey } from '../src/lib/turns.ts'
import { makeTicket, makeTickets } from './fixtures/factories.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { lockWaits } from './postgres/lock-waits.ts'
import { startServer, unguarded } from './servers/server.ts'

test("a person's third costly call waits, other calls and other people do not, and rights are read again after the wait", async () => {
  await using server = await startServer()
  const { organization, idProject, project, someone } = await peopledProject(server)
  const [idParent] = await makeTickets(server.db, organization, project, limits.pageSizeMax + 1, 'many')
  const [ann, bob] = [await someone([1]), await someone([1])]
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = turns.map(({ promise }) => server.system.inTurn(ann.idUser, () => promise))

  let answered = 0
  const waiting = [1, 2].map(async () => {
    const { status } = await server.as(ann, searchTickets, { Query: 'ticket' })
    answered++
    return status
  })
  const list = server.as(ann, getTicketList, { idProject })
  // Only its proof looks at the membership.
  const filtered = server.as(ann, queryTickets, { idProject, Title: 'ticket' })
  const children = await server.as(ann, getTicketList, { idProject, idParent })
  expect([children.status, children.body.length]).toEqual([200, 0])
  expect((await server.as(ann, queryTickets, { idProject })).status).toBe(200)
  expect((await server.as(bob, searchTickets, { Query: 'ticket' })).status).toBe(200)
  expect(answered).toBe(0)
  await server.sql`
    delete from project_member where organization_id = ${organization} and project_id = ${idProject} and user_id = ${ann.idUser}`
  for (const { resolve } of turns) resolve()
  await Promise.all(held)
  expect(await Promise.all(waiting)).toEqual([200, 200])
  expect([(await list).status, (await filtered).status]).toEqual([404, 404])
})

test("a person's third large body waits, small ones and other people do not; what ends a request, or takes long, ends its turn", async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const [ann, bob] = [await someone('all'), await someone('all')]
  const idTicket = await makeTicket(server.db, organization, project)
  const save = async (who: typeof ann, bytes: number) =>
    (await server.as(who, setTicketData, { idTicket, data: { note: 'x'.repeat(bytes) } })).status
  const large = limits.body + 1
  const reading = [1, 2].map(() => ({ raw: new EventEmitter(), request: { raw: { socket: new EventEmitter() } } }))
  const turns = () => Promise.all(reading.map(reply => server.system.bodyInTurn(ann.idUser, reply as unknown as FastifyReply)))
  const [endFirst] = await turns()

  let answered = 0
  const waiting = [1, 2, 3].map(() => save(ann, large).finally(() => answered++))
  expect(await save(ann, 10)).toBe(200)
  expect(await save(bob, large)).toBe(200)
  expect(answered).toBe(0)
  endFirst?.()
  expect(await Promise.all(waiting)).toEqual([200, 200, 200])
  reading[1]?.request.raw.socket.emit('close')
  await turns()
  // As after a body that is refused.
  for (const { raw } of reading) raw.emit('finish')
  await turns()
  // Two bodies that do not come any further.
  const inTurn = bodyTurns(100)
  for (const reply of [...reading, ...reading]) await inTurn(ann.idUser, reply as unknown as FastifyReply)
})

test('somebody who saves on many connections delays the next save of another person by a few', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const [ann, bob] = [await someone('all'), await someone('all')]
  const elsewhere = await server.signedIn(ann.idUser, organization)
  const idTicket = await makeTicket(server.db, organization, project)
  for (const session of [ann, elsewhere]) await server.as(session, setTicketNotification, { idTicket, Notify: 1 })
  let saved = 0
  const db = unguarded(server.db)
  const { saves, bobs } = await db.transaction().execute(async holder => {
    await sql`select pg_advisory_xact_lock(hashtextextended('rights', ${organization}::bigint))`.execute(holder)
    const saves = [ann, elsewhere].flatMap(session =>
      Array.from({ length: 30 }, async (_, n) => {
        if ((await server.as(session, setProjectData, { idProject, Title: `Title ${n}` })).status === 200) saved++
      }),
    )
    await expect.poll(() => lockWaits(server.db)).toBe(poolOf(server.db).options.max)
    return { saves, bobs: server.as(bob, setTicketNotification, { idTicket, Notify: 1 }) }
  })
  expect((await bobs).status).toBe(200)
  expect(saved).toBeLessThan(30)
  await Promise.all(saves)
  await db.destroy()
})

test('deletions of labels, which wait for one another for minutes, take no turns from the changes of others', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const [ann, bob] = [await someone('all'), await someone('all')]
  const idTicket = await makeTicket(server.db, organization, project)
  const db = unguarded(server.db)
  const deletions = await db.transaction().execute(async holder => {
    await sql`select pg_advisory_xact_lock(hashtextextended('labels', ${organization}::bigint))`.execute(holder)
    const deletions = Array.from({ length: 3 * poolOf(server.db).options.max }, () =>
      server.as(ann, deleteLabels, { idProject, ids: [987_654_321] }),
    )
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    expect((await server.as(bob, setTicketNotification, { idTicket, Notify: 1 })).status).toBe(200)
    return deletions
  })
  expect(new Set((await Promise.all(deletions)).map(({ status }) => status))).toEqual(new Set([404]))
  await db.destroy()
})

test('people take turns one call each; too many calls of one, and those that wait too long, are refused; an error costs no turn', async () => {
  const inTurn = fairTurns<string>(1, 2, 200, () => new Failure('unavailable', 'busy'))
  const first = Promise.withResolvers<void>()
  const running = inTurn('ann', () => first.promise)
  const began: string[] = []
  const waiting = ['ann 1', 'ann 2', 'bob 1'].map(name =>
    inTurn(name.slice(0, 3), async () => {
      began.push(name)
      throw new Error(name)
    }),
  )
  await expect(inTurn('ann', async () => undefined)).rejects.toThrow('busy')
  first.resolve()
  await running
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(began).toEqual(['ann 1', 'bob 1', 'ann 2'])
  const held = Promise.withResolvers<void>()
  const holding = inTurn('ann', () => held.promise)
  await expect(inTurn('bob', async () => undefined)).rejects.toThrow('busy')
  held.resolve()
  await holding
  expect(await inTurn('bob', async () => 'done')).toBe('done')
})

test('whoever is gone leaves the queue, so that letters typed while two searches run do not fill it', async () => {
  const inTurn = limitPerKey(1, 20, 'too many')
  const first = Promise.withResolvers<void>()
  const running = inTurn(1, () => first.promise)
  for (let letter = 0; letter < 50; letter++) {
    const typed = new AbortController()
    const waiting = inTurn(1, async () => 'late', typed.signal)
    typed.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  }
  const waiting = Array.from({ length: 20 }, (_, n) => inTurn(1, async () => n))
  await expect(inTurn(1, async () => 'refused')).rejects.toThrow('too many')
  first.resolve()
  await running
  expect(await Promise.all(waiting)).toEqual(waiting.map((_, n) => n))
  expect(await inTurn(1, async hasWaited => hasWaited)).toBe(false)
})

test('a chart or an export that has waited for others for two minutes is refused', async () => {
  await using server = await startServer()
  const [first, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = withLongTime(server.db, '', () => {
    read.resolve()
    return first.promise
  })
  await read.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const waiting = withLongTime(server.db, '', async () => 'late')
  const refused = expect(waiting).rejects.toMatchObject({ code: 'throttled', detail: { retryAfterSeconds: 60 } })
  await vi.advanceTimersByTimeAsync(121_000).finally(() => vi.useRealTimers())
  first.resolve()
  await Promise.all([running, refused])
})
