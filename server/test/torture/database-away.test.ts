import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@tessera/contract/people/users'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../src/db/embedded/start-embedded.ts'
import { postmasterPid, temporaryDirectory } from '../postgres/embedded.ts'
import { eventually } from '../servers/mail.ts'
import { auditor } from './tools/audit.ts'
import { startLoad } from './tools/load.ts'
import { type Browser, hire, rounds, startProduct, within } from './tools/product.ts'
import { tcpProxy } from './tools/tcp-proxy.ts'

/** An external PostgreSQL behind a network that can be interrupted, and the product on it. */
async function setUp() {
  const directory = temporaryDirectory()
  // The machine stays up, so nothing need reach the disk; but a commit must reach the system before it is acknowledged.
  const settings = { synchronous_commit: 'on' }
  let server = await startEmbedded({ directory, durable: false, settings })
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query('create database tessera_away')
  await client.end()
  const proxy = await tcpProxy(server.connection)
  const connection = { ...server.connection, database: 'tessera_away' }
  const product = await startProduct({ settings: { DATABASE_URL: `postgres://${connection.user}@127.0.0.1:${proxy.port}/tessera_away` } })
  return {
    product,
    proxy,
    connection: () => connection,
    async restart(kind: 'fast' | 'immediate') {
      if (kind === 'fast') await server.stop()
      else {
        process.kill(postmasterPid(server.dataDirectory), 'SIGQUIT')
        await server.exited
      }
      server = await startEmbedded({ directory, durable: false, settings })
    },
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

/** Milliseconds until a save succeeds again. */
async function untilSaved(person: Browser, idTicket: number) {
  const started = performance.now()
  for (;;) {
    const { status } = await person.post(setTicketData, { idTicket, Title: `Probe ${performance.now()}` })
    const passed = Math.round(performance.now() - started)
    if (status === 200) return passed
    if (passed > 60_000) throw new Error(`still ${status} after a minute`)
    await sleep(20)
  }
}

test('an external PostgreSQL restarts, cannot be reached, falls silent: every request ends in 10 s, and the server recovers soon after', {
  tags: ['long'],
  timeout: 4 * 3_600_000,
}, async () => {
  await using place = await setUp()
  const { product, proxy } = place
  const staff = await hire(product.address, place.connection(), 9)
  const [probe, ...writers] = staff.people as [Browser, ...Browser[]]
  const load = await startLoad({ ...staff, people: writers }, { goesOnAfterErrors: true })
  const audit = auditor(staff, load, product.data, place.connection)
  const end = load.begin()
  await load.untilAcknowledged(20)
  const { projectId, templates } = staff.project
  const made = await probe.post(createNewTicket, { idProject: projectId, idTemplate: templates.bug, Title: 'Probe' })
  const [idTicket] = made.body as [number]
  const times = rounds(2)
  const back: Record<string, number[]> = { restart: [], cut: [], hole: [] }
  const red: number[] = []
  const longest: number[] = []

  for (let time = 0; time < times; time++) {
    await place.restart(time % 2 === 0 ? 'fast' : 'immediate')
    back.restart?.push(await untilSaved(probe, idTicket))

    proxy.set('cut')
    await sleep(500)
    const refusal = await probe.post(setTicketData, { idTicket, Title: 'Never' })
    expect([refusal.status, refusal.retryAfter]).toEqual([503, '5'])
    expect(await (await fetch(`${product.address()}/readyz`)).json()).toMatchObject({ status: 'not ready', database: 'unavailable' })
    proxy.set('pass')
    back.cut?.push(await untilSaved(probe, idTicket))
  }

  for (let time = 0; time < Math.max(1, times / 5); time++) {
    proxy.set('hole')
    const began = performance.now()
    const crowd = Promise.all(Array.from({ length: 100 }, (_, index) => probe.post(setTicketData, { idTicket, Title: `Crowd ${index}` })))
    for (;;) {
      const answer = await fetch(`${product.address()}/readyz`)
      if (answer.status === 503) break
      expect(performance.now() - began).toBeLessThan(within(10_000))
    }
    red.push(Math.round(performance.now() - began))
    const answers = await crowd
    longest.push(Math.max(...answers.map(({ milliseconds }) => milliseconds)))
    expect(answers.filter(({ status, milliseconds }) => status !== 503 || milliseconds > within(10_000))).toEqual([])
    await sleep(Math.max(0, 13_000 - (performance.now() - began)))
    proxy.set('pass')
    back.hole?.push(await untilSaved(probe, idTicket))
  }

  // A slow network slows everything down and breaks nothing.
  proxy.set('pass', 100)
  await sleep(500)
  const slow = await Promise.all(Array.from({ length: 20 }, () => probe.post(getTicketData, { idTicket })))
  expect(slow.map(({ status }) => status)).toEqual(Array(20).fill(200))
  proxy.set('pass')
  await end()

  const { body } = await probe.post(createUser, { LoginName: 'after', Email: 'after@example.com', SendWelcome: 1, ProjectAssign: [] })
  expect(body).toMatchObject({ Success: 1 })
  const folder = path.join(product.data, 'mail')
  // The first mail makes the folder.
  const mails = () => (existsSync(folder) ? readdirSync(folder).length : 0)
  const before = mails()
  await eventually(() => expect(mails()).toBeGreaterThan(before), 20_000)

  expect(await audit.lost()).toEqual([])
  expect(await audit.torn()).toEqual([])
  const worst = (name: string) => Math.max(...(back[name] as number[]))
  console.log(
    `database-away: ${times} restarts (saves again ${worst('restart')} ms after it is back, at worst), ${times} × cut off (${worst('cut')} ms), ` +
      `${red.length} × silent (${worst('hole')} ms; /readyz red after ${Math.max(...red)} ms, slowest answer ${Math.max(...longest, load.slowest)} ms); ` +
      `${load.acknowledged.length} acknowledged writes, 0 lost, 0 torn`,
  )
  expect(product.process.child.exitCode).toBe(null)
  expect(load.refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
  expect(load.slowest).toBeLessThan(within(10_000))
  expect(Math.max(worst('restart'), worst('cut'), worst('hole'))).toBeLessThan(within(2000))
})
