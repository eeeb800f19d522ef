import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@tessera/contract/limits'
import { moveTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/db/connections/connect.ts'
import { closeSystem, createSystem } from '../../src/process/system.ts'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../fixtures/factories.ts'
import { type Caller, startServer, type TestServer } from '../servers/server.ts'
import { rounds } from './tools/product.ts'
import { deepestLevel, half, makeLine, races } from './tools/races.ts'
import { tcpProxy } from './tools/tcp-proxy.ts'

/** Rows of history that do not begin where the row before them ended. */
async function brokenChains({ db }: TestServer, organization: number) {
  const { rows } = await sql`
    select * from (
      select ticket_id, field, before, lag(after) over w as previous, lag(id) over w as earlier from change
      where organization_id = ${organization} and ticket_id is not null and (field in ('Title', 'State') or field like 'data.%')
      window w as (partition by ticket_id, field order by id)
    ) chain where earlier is not null and before is distinct from previous`.execute(db)
  return rows
}

test('sixteen clients storm the same tickets with values of their own: each acknowledged one is in history once, no chain is broken', {
  timeout: 4 * 3_600_000,
}, async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const tickets = await Promise.all(Array.from({ length: rounds(10) >= 200 ? 50 : 5 }, () => makeTicket(server.db, organization, project)))
  const acknowledged: { ticket_id: number; field: string; after: string }[] = []
  let conflicts = 0
  const clients: Caller[] = []
  while (clients.length < 16) {
    const idUser = await makeUser(server.db, organization)
    await makeMember(server.db, organization, project.projectId, idUser, 'all')
    clients.push(await server.signedIn(idUser, organization))
  }
  await Promise.all(
    clients.map(async (who, client) => {
      const known = new Map<number, number>()
      for (let save = 0; save < rounds(10) * 3; save++) {
        const idTicket = tickets[(client * 7 + save) % tickets.length] as number
        const value = `${client} ${save}`
        const field = save % 2 === 0 ? 'Title' : 'data.note'
        const part = field === 'Title' ? { Title: value } : { data: { note: value } }
        // Every third save sends the version it has read, which may be old.
        const Version = known.get(idTicket)
        const versioned = save % 3 === 0 && Version !== undefined ? { Version } : {}
        const answer = await server.as(who, setTicketData, { idTicket, ...part, ...versioned })
        expect([200, 409]).toContain(answer.status)
        known.set(idTicket, answer.body.Version)
        if (answer.status === 200) acknowledged.push({ ticket_id: idTicket, field, after: value })
        else conflicts++
      }
    }),
  )
  expect(await brokenChains(server, organization)).toEqual([])
  const rows = await server.sql<{ ticket_id: number; field: string; after: string }>`
    select ticket_id, field, after from change where organization_id = ${organization} and field in ('Title', 'data.note')`
  const sorted = (list: typeof acknowledged) => list.map(({ ticket_id, field, after }) => `${ticket_id} ${field} ${after}`).sort()
  expect(sorted(rows)).toEqual(sorted(acknowledged))
  console.log(
    `concurrency: storm of ${acknowledged.length} acknowledged saves and ${conflicts} conflicts on ${tickets.length} tickets: 0 broken chains, each value once`,
  )
})

/** Two nodes with one connection each, whose statements reach PostgreSQL one at a time, in an order chosen by the test. */
async function twoNodes(server: TestServer) {
  const cluster = inject('cluster')
  const rows = await server.sql<{ name: string }>`select current_database() as name`
  const make = async () => {
    const proxy = await tcpProxy(cluster)
    const db = connect(
      { host: '127.0.0.1', port: proxy.port, user: cluster.user as string, database: rows[0]?.name as string },
      { poolSize: 1 },
    )
    // Work that a node does once, at its start, is not part of the race.
    const system = await createSystem(server.system.config, db)
    return { proxy, db, system, app: await buildApp({ ...system, live: server.system.live }) }
  }
  const nodes = [await make(), await make()] as const

  /** Runs both at once; `choose` decides whose statement goes next. While one statement waits for a lock, the other side continues. */
  async function race<A, B>(
    first: (app: TestServer['app']) => Promise<A>,
    second: (app: TestServer['app']) => Promise<B>,
    choose: () => 0 | 1,
  ) {
    for (const { proxy } of nodes) proxy.hold()
    const isRunning = [true, true]
    const isBlocked = [false, false]
    const side = <T>(work: Promise<T>, index: 0 | 1) =>
      work.finally(() => {
        isRunning[index] = false
      })
    const both = Promise.all([side(first(nodes[0].app), 0), side(second(nodes[1].app), 1)])
    let steps = ''
    let chosen = choose()
    while (isRunning.includes(true)) {
      const isReady = nodes.map(({ proxy }) => proxy.held() > 0)
      const other = chosen === 0 ? 1 : 0
      // The race waits for a chosen side that is busy in its process, but not for one that waits for a lock or has ended.
      const instead = isReady[other] && (isBlocked[chosen] || !isRunning[chosen]) ? other : undefined
      const next = isReady[chosen] ? chosen : instead
      if (next === undefined) {
        await sleep(1)
        continue
      }
      steps += next
      isBlocked[next] = !(await nodes[next].proxy.step(8))
      chosen = choose()
    }
    for (const { proxy } of nodes) proxy.release()
    return { answers: await both, steps }
  }

  return {
    race,
    async [Symbol.asyncDispose]() {
      for (const { app, system, db, proxy } of nodes) {
        proxy.release()
        await app.close()
        await system.live.close()
        closeSystem(system)
        await db.destroy()
        await proxy[Symbol.asyncDispose]()
      }
    },
  }
}

test('seven pairs of calls, statement by statement in many orders: each invariant holds', { timeout: 4 * 3_600_000 }, async () => {
  await using server = await startServer()
  await using nodes = await twoNodes(server)
  const { list, organization } = await races(server)
  const times = rounds(6)
  const figures: string[] = []
  for (const { name, prepare } of list) {
    const orders = new Set<string>()
    for (let time = 0; time < times; time++) {
      const { first, second, check } = await prepare()
      // From one whole side after the other to a change at each statement.
      const turning = time / times
      let last = (time % 2) as 0 | 1
      const { answers, steps } = await nodes.race(first, second, () => {
        if (Math.random() < turning) last = last === 0 ? 1 : 0
        return last
      })
      orders.add(steps)
      await check(...answers)
    }
    figures.push(`${name} ${orders.size}`)
  }
  expect(await brokenChains(server, organization)).toEqual([])
  console.log(`concurrency: ${times} × each race; different orders of statements: ${figures.join(', ')}; 0 violations`)
})

test('a ticket is moved deeper while three people create below it: nothing exceeds the depth limit', {
  timeout: 4 * 3_600_000,
}, async () => {
  await using server = await startServer()
  const { db } = server
  const organization = await makeOrganization(db)
  const project = await makeProject(db, organization)
  const hire = async () => {
    const id = await makeUser(db, organization)
    await makeMember(db, organization, project.projectId, id, 'all')
    return server.signedIn(id, organization)
  }
  const [mover, ...creators] = [await hire(), await hire(), await hire(), await hire()] as [Caller, ...Caller[]]
  const [, deep] = await makeLine(db, organization, project, half)
  const came = { move: 0, creation: 0 }
  const times = rounds(10)
  for (let time = 0; time < times; time++) {
    const [idTicket, idParent] = await makeLine(db, organization, project, half + 1)
    const head = Math.random() * 4
    const [moved, ...created] = await Promise.all([
      server.as(mover, moveTicket, { idTicket, idParent: deep }),
      ...creators.map(async creator => {
        await sleep(head + Math.random())
        return server.as(creator, createNewTicket, {
          idProject: project.projectId,
          idTemplate: project.templates.bug,
          idParent,
          Title: 'Below',
        })
      }),
    ])
    const isMoved = moved.status === 200
    came[isMoved ? 'move' : 'creation']++
    expect([moved.status, ...created.map(({ status }) => status)]).toEqual(isMoved ? [200, 422, 422, 422] : [422, 200, 200, 200])
    expect(await deepestLevel(db, organization)).toBeLessThanOrEqual(limits.depth)
  }
  console.log(
    `concurrency: ${times} × three creations below a ticket on its way down: ${came.move} times the move came first, ${came.creation} times a creation; 0 too deep`,
  )
})
