import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { childPids, isLinux, postmasterPid, untilGone } from '../postgres/embedded.ts'
import { auditor } from './tools/audit.ts'
import { startLoad } from './tools/load.ts'
import { hire, median, rounds, startProduct, untilReady, within } from './tools/product.ts'

const kinds = ['the whole tree', 'the postmaster alone', 'one backend'] as const

function kill(pids: number[]) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // already ended, after its parent
    }
  }
}

test.skipIf(!isLinux)(
  'PostgreSQL killed under the server while eight people write: the server lives and recovers alone, nothing acknowledged is lost',
  { tags: ['long'], timeout: 4 * 3_600_000 },
  async () => {
    await using product = await startProduct()
    const staff = await hire(product.address, product.connection(), 8)
    const load = await startLoad(staff, { goesOnAfterErrors: true })
    const audit = auditor(staff, load, product.data, product.connection)
    const { pid } = product.process.child
    const kills = rounds(1)
    const back = new Map<string, number[]>(kinds.map(kind => [kind, []]))
    for (let number = 1; number <= kills; number++) {
      const kind = kinds[number % kinds.length] as (typeof kinds)[number]
      const end = load.begin()
      await load.untilAcknowledged(10)
      await sleep(Math.random() * 100)
      const postmaster = postmasterPid(path.join(product.data, 'postgres'))
      const children = childPids(postmaster)
      if (kind === 'the whole tree') kill([postmaster, ...children])
      else if (kind === 'the postmaster alone') kill([postmaster])
      // The newest children are the connections.
      else kill(children.slice(-1))
      const started = performance.now()
      // Until PostgreSQL notices the kill, /readyz is still green; PostgreSQL ends every connection when one is killed.
      await Promise.all(children.map(child => untilGone(child, 20_000)))
      await untilReady(product.address())
      await load.untilAcknowledged(1)
      back.get(kind)?.push(Math.round(performance.now() - started))
      await end()
      expect(await audit.lost(number === kills)).toEqual([])
      if (number % 10 === 0 || number === kills) expect(await audit.torn()).toEqual([])
    }
    expect(await audit.damaged()).toEqual([])
    const figures = kinds.map(kind => {
      const times = back.get(kind) as number[]
      return `${times.length} × ${kind} (writes again after ${median(times)} ms, worst ${Math.max(...times)})`
    })
    console.log(
      `crash-database: ${kills} kills: ${figures.join(', ')}; ${load.acknowledged.length} acknowledged writes, 0 lost, 0 torn, amcheck clean; ` +
        `${load.refused.length} refused with 503, slowest answer ${load.slowest} ms`,
    )
    // What the server itself calls a defect, in its words.
    expect(product.process.output.split('\n').filter(line => line.includes(`defect`))).toEqual([])
    expect([product.process.child.pid, product.process.child.exitCode]).toEqual([pid, null])
    expect(load.refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
    expect(load.slowest).toBeLessThan(within(10_000))
    expect(Math.max(...[...back.values()].flat())).toBeLessThan(within(10_000))
  },
)
