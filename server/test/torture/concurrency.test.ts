import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createNewState,
  getTicketStateList,
  setStateTransitions,
  setTicketStateOrder,
  setUserPermission,
} from '@tessera/contract/project-config'
import { createProject } from '@tessera/contract/projects'
import { setTicketData } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/db/db.ts'
import { closeSystem, createSystem } from '../../src/lib/system.ts'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../factories.ts'
import { type Caller, startServer, type TestServer } from '../server.ts'
import { rounds } from './product.ts'
import { tcpProxy } from './tcp-proxy.ts'

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
  const tickets = await Promise.all(Array.from({ length: rounds(20) >= 200 ? 50 : 5 }, () => makeTicket(server.db, organization, project)))
  const acknowledged: { ticket_id: number; field: string; after: string }[] = []
  let conflicts = 0
  await Promise.all(
    Array.from({ length: 16 }, async (_, client) => {
      const idUser = await makeUser(server.db, organization)
      await makeMember(server.db, organization, project.projectId, idUser, 'all')
      const who = await server.signedIn(idUser, organization)
      const known = new Map<number, number>()
      for (let save = 0; save < rounds(20) * 3; save++) {
        const idTicket = tickets[(client * 7 + save) % tickets.length] as number
        const value = `${client} ${save}`
        const field = save % 2 === 0 ? 'Title' : 'data.note'
        const part = field === 'Title' ? { Title: value } : { data: { note: value } }
        // Every third save names the version it has seen, which may be an old one.
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
  const { rows } = await sql<{ ticket_id: number; field: string; after: string }>`
    select ticket_id, field, after from change where organization_id = ${organization} and field in ('Title', 'data.note')`.execute(
    server.db,
  )
  const sorted = (list: typeof acknowledged) => list.map(({ ticket_id, field, after }) => `${ticket_id} ${field} ${after}`).sort()
  expect(sorted(rows)).toEqual(sorted(acknowledged))
  console.log(
    `concurrency: storm of ${acknowledged.length} acknowledged saves and ${conflicts} conflicts on ${tickets.length} tickets: 0 broken chains, each value once`,
  )
})

/** Two nodes with one connection each, whose statements reach PostgreSQL one at a time in an order of our choosing. */
async function twoNodes(server: TestServer) {
  const cluster = inject('cluster')
  const socket = path.join(String(cluster.host), `.s.PGSQL.${cluster.port}`)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db)
  const make = async () => {
    const proxy = await tcpProxy(socket)
    const db = connect(
      { host: '127.0.0.1', port: proxy.port, user: cluster.user as string, database: rows[0]?.name as string },
      { poolSize: 1 },
    )
    // What a node does once, at its start, is not part of the race.
    const system = await createSystem(server.system.config, db)
    return { proxy, db, system, app: await buildApp({ ...system, live: server.system.live }) }
  }
  const nodes = [await make(), await make()] as const

  /** Both at once; `choose` says whose statement goes next when both wait. A statement that waits for a lock lets the other go on. */
  async function race<A, B>(
    first: (app: TestServer['app']) => Promise<A>,
    second: (app: TestServer['app']) => Promise<B>,
    choose: () => 0 | 1,
  ) {
    for (const { proxy } of nodes) proxy.hold()
    let running = 2
    const finish = () => running--
    const both = Promise.all([first(nodes[0].app).finally(finish), second(nodes[1].app).finally(finish)])
    let steps = ''
    while (running > 0) {
      const ready = nodes.flatMap(({ proxy }, index) => (proxy.held() > 0 ? [index] : []))
      if (ready.length === 0) {
        await sleep(1)
        continue
      }
      const next = ready.length === 2 ? choose() : (ready[0] as 0 | 1)
      steps += next
      await nodes[next].proxy.step(8)
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

type App = TestServer['app']
interface Race {
  name: string
  /** Prepares one race and gives its two sides and what must hold afterwards. */
  prepare(): Promise<{
    first: (app: App) => Promise<Reply>
    second: (app: App) => Promise<Reply>
    check: (a: Reply, b: Reply) => Promise<void> | void
  }>
}
interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: six calls answer six things.
  body: any
}

async function races(server: TestServer): Promise<{ list: Race[]; organization: number }> {
  const { db } = server
  const organization = await makeOrganization(db)
  const project = await makeProject(db, organization)
  const idProject = project.projectId
  const { open, doing, done } = project.states
  const person = async (options = {}) => {
    const id = await makeUser(db, organization, options)
    const member = await makeMember(db, organization, idProject, id, 'all')
    return { id, member, caller: await server.signedIn(id, organization) }
  }
  const [ann, bob] = [await person({ admin: true }), await person({ admin: true })]
  const as = (who: { caller: Caller }, call: Parameters<TestServer['as']>[1], input: unknown) => (app: App) =>
    server.as(who.caller, call, input, {}, app) as Promise<Reply>
  const titleOf = async (id: number) =>
    await db
      .selectFrom('ticket')
      .select(['title', 'state_id'])
      .where('organization_id', '=', organization)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  let count = 0
  const Transitions = [
    { from: open, to: doing },
    { from: doing, to: done },
  ]
  expect((await as(ann, setStateTransitions, { idProject, Transitions })(server.app)).status).toBe(200)

  return {
    organization,
    list: [
      {
        name: 'save/save of one field',
        async prepare() {
          const idTicket = await makeTicket(db, organization, project)
          return {
            first: as(ann, setTicketData, { idTicket, Title: 'Ann', Version: 1 }),
            second: as(bob, setTicketData, { idTicket, Title: 'Bob', Version: 1 }),
            async check(a, b) {
              expect([a.status, b.status].sort()).toEqual([200, 409])
              expect((await titleOf(idTicket)).title).toBe(a.status === 200 ? 'Ann' : 'Bob')
            },
          }
        },
      },
      {
        name: 'save/state along a workflow',
        async prepare() {
          const idTicket = await makeTicket(db, organization, project)
          return {
            first: as(ann, setTicketData, { idTicket, State: doing, Title: 'With the state' }),
            second: as(bob, setTicketData, { idTicket, State: done }),
            // From Open there is no way to Done: Bob gets through only after Ann.
            async check(a, b) {
              expect([a.status, [200, 409].includes(b.status)]).toEqual([200, true])
              expect((await titleOf(idTicket)).state_id).toBe(b.status === 200 ? done : doing)
            },
          }
        },
      },
      {
        name: 'toggle/toggle',
        async prepare() {
          const { member } = await person()
          const toggle = { idProject, idProjectMember: member, idPermission: 6 }
          return {
            first: as(ann, setUserPermission, toggle),
            second: as(bob, setUserPermission, toggle),
            check(a, b) {
              expect([a.status, b.status]).toEqual([200, 200])
              expect([a.body.Enabled, b.body.Enabled].sort()).toEqual([0, 1])
            },
          }
        },
      },
      {
        name: 'reorder/create state',
        async prepare() {
          const before = ((await as(ann, getTicketStateList, { idProject })(server.app)).body as { id: number }[]).map(({ id }) => id)
          const SortOrder = [...before].reverse()
          return {
            first: as(ann, setTicketStateOrder, { idProject, SortOrder }),
            second: as(bob, createNewState, { idProject, State: `State ${count++}`, idPhase: 1 }),
            async check(a, b) {
              expect([a.status, b.status]).toEqual([200, 200])
              const after = ((await as(ann, getTicketStateList, { idProject })(server.app)).body as { id: number }[]).map(({ id }) => id)
              expect(after).toEqual([...SortOrder, b.body.idState])
            },
          }
        },
      },
      {
        name: 'create/create with one short code',
        async prepare() {
          const ShortCode = `C${count++}`
          return {
            first: as(ann, createProject, { Title: 'One', ShortCode }),
            second: as(bob, createProject, { Title: 'Two', ShortCode: ShortCode.toLowerCase() }),
            check: (a, b) => expect([a.status, b.status].sort()).toEqual([200, 422]),
          }
        },
      },
      {
        name: 'revoke/save',
        async prepare() {
          const { caller, member } = await person()
          const idTicket = await makeTicket(db, organization, project, { title: 'Before' })
          return {
            first: as(ann, setUserPermission, { idProject, idProjectMember: member, idPermission: 3, Enabled: 0 }),
            second: as({ caller }, setTicketData, { idTicket, Title: 'After' }),
            async check(a, b) {
              expect([a.status, [200, 422].includes(b.status)]).toEqual([200, true])
              expect((await titleOf(idTicket)).title).toBe(b.status === 200 ? 'After' : 'Before')
              expect((await as({ caller }, setTicketData, { idTicket, Title: 'Later' })(server.app)).status).toBe(422)
            },
          }
        },
      },
    ],
  }
}

test('six races, statement by statement in many orders: what must hold holds after each', { timeout: 4 * 3_600_000 }, async () => {
  await using server = await startServer()
  await using nodes = await twoNodes(server)
  const { list, organization } = await races(server)
  const times = rounds(12)
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
