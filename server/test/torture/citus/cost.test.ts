import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createNewTicket, getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../../../src/db/connections/connect.ts'
import type { Connection } from '../../../src/db/embedded/connection.ts'
import { migrate } from '../../../src/db/schema/migrate.ts'
import { createCitusDatabase, distribute } from '../../postgres/citus.ts'
import { createDatabase, dropDatabase } from '../../postgres/databases.ts'
import { startProcess, temporaryDirectory } from '../../servers/process.ts'
import { fillOrganizations } from '../tools/filled-cluster.ts'
import { type Answer, type Browser, browser, median, rounds } from '../tools/product.ts'
import { citusIfAsked } from './asked.ts'

// The table of docs/scaling.md, "What a request costs", with `npm run torture:citus-cost [requests]`: CPU time, so that other work disturbs little.

const citus = citusIfAsked('citus-cost')
afterAll(() => citus?.stop())

test.skipIf(!citus)(
  'the CPU time that the database takes for a request: on one PostgreSQL, with one worker and with two',
  { timeout: 3_600_000 },
  async () => {
    if (!citus) return
    const [coordinator, ...workers] = citus.servers
    for (const count of [0, 1, 2]) {
      const servers: [Connection, ...Connection[]] = [coordinator, ...workers.slice(0, count)]
      const found = await costsOn(servers)
      for (const [what, costs] of Object.entries(found))
        console.log(`citus-cost: ${count} workers, ${what}: ${costs.map(cost => cost.toFixed(1)).join(' + ')} ms of CPU`)
    }
  },
)

/** For each kind of request the milliseconds on the coordinator, or the only server, and on all workers together. */
async function costsOn(servers: [Connection, ...Connection[]]) {
  const [coordinator, ...workers] = servers
  const name = `tessera_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => dropDatabase(servers, name))
  if (workers.length === 0) await createDatabase(servers, name)
  else await createCitusDatabase(servers, name, 8)
  const db = connect({ ...coordinator, database: name }, { poolSize: 2, noTimeLimits: true })
  cleanUp.defer(() => db.destroy())
  await migrate(db)
  const organizations = (await fillOrganizations(db, 50, 200)).slice(1, 13)
  if (workers.length > 0) await distribute(db)
  await sql`vacuum analyze`.execute(db)

  using place = temporaryDirectory()
  const { user, host, port } = coordinator
  await using server = startProcess({
    TESSERA_DATA: place.folder,
    DATABASE_URL: `postgres://${user}@${host}:${port}/${name}`,
    LOG_LEVEL: 'error',
  })
  const address = await server.ready()
  const people: Browser[] = []
  for (const { login } of organizations) {
    const person = browser(() => address)
    await person.signIn(login, 'correct horse battery')
    people.push(person)
  }
  const kinds: Record<string, (person: Browser, of: (typeof organizations)[number], number: number) => Promise<Answer>> = {
    list: (person, { projectId }) => person.post(queryTickets, { idProject: projectId }),
    open: (person, { first }) => person.post(getTicketData, { idTicket: first }),
    save: (person, { first }, number) => person.post(setTicketData, { idTicket: first, Title: `Saved ${number}` }),
    create: (person, { projectId, template }, number) =>
      person.post(createNewTicket, { idProject: projectId, idTemplate: template, Title: `New ${number}` }),
  }
  const groups = [[coordinator], ...(workers.length > 0 ? [workers] : [])]
  const pids = await Promise.all(groups.map(group => Promise.all(group.map(postmasterOf))))
  const used = () => pids.map(group => group.reduce((sum, pid) => sum + cpuBelow(pid), 0))

  const found: Record<string, number[]> = {}
  for (const [what, send] of Object.entries(kinds)) {
    const ask = async (requests: number) => {
      for (let number = 0; number < requests; number++) {
        const at = number % people.length
        const { status } = await send(people[at] as Browser, organizations[at] as (typeof organizations)[number], number)
        expect(status).toBe(200)
      }
    }
    // Each connection prepares its statements.
    await ask(120)
    const each: number[][] = []
    for (let round = 0; round < 3; round++) {
      const [began, before] = [performance.now(), used()]
      await ask(rounds(200))
      const [elapsed, after] = [performance.now() - began, used()]
      // As long again without a request: what the servers use anyway.
      await sleep(elapsed)
      const idle = used()
      each.push(pids.map((_, index) => (2 * (after[index] as number) - (before[index] as number) - (idle[index] as number)) / rounds(200)))
    }
    found[what] = pids.map((_, index) => median(each.map(costs => costs[index] as number)))
  }
  return found
}

async function postmasterOf(server: Connection) {
  const db = connect(server, { poolSize: 1, prepare: false })
  const { rows } = await sql<{ pid: string }>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`.execute(db)
  await db.destroy()
  return Number(rows[0]?.pid)
}

/** Milliseconds of CPU of all processes of a PostgreSQL, also of those that ended. */
function cpuBelow(postmaster: number) {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    try {
      // After the name in parentheses: state, parent, …; the 12th to the 15th are the times of the process and of its children that ended.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number)
      const [own, children] = [(fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)]
      if (Number(pid) === postmaster) ticks += own + children
      else if (fields[1] === postmaster) ticks += own
    } catch {
      // it has just ended
    }
  }
  return ticks * 10
}
