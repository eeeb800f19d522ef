import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { events } from '@tessera/contract/projects/live'
import { getTicketComments, newestComments, setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { childPids, isLinux, postmasterPid } from '../postgres/embedded.ts'
import { heapAfterCollection } from './tools/heap.ts'
import { type Browser, hire, median, startProduct } from './tools/product.ts'

/** 0.1 in `npm run test:all`, a day by `npm run torture:soak`. */
const minutes = Number(process.env.TORTURE_ROUNDS ?? 0.1)
const isShort = minutes < 1
/** Each of the people does something this often, in milliseconds: about a third of what a core takes. */
const pause = 100

interface Sample {
  heap: number
  server: number
  database: number
  descriptors: number
  connections: number
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Memory of a process that it shares with no other, in bytes. */
function privateBytes(pid: number) {
  try {
    const kilobytes = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)
    return [...kilobytes].reduce((sum, [, amount]) => sum + Number(amount) * 1024, 0)
  } catch {
    return 0 // gone meanwhile
  }
}

test.skipIf(!isLinux)(
  'hours of ordinary work: memory, descriptors and connections stay where they were',
  { tags: ['long'], timeout: 26 * 3_600_000 },
  async () => {
    await using product = await startProduct({ settings: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } })
    const { people, project } = await hire(product.address, product.connection(), isShort ? 5 : 12)
    const { pid = 0 } = product.process.child
    const [first] = people as [Browser]
    const { projectId: idProject, templates } = project
    const tickets: number[] = []
    for (let number = 0; number < (isShort ? 20 : 200); number++) {
      const made = await first.post(createNewTicket, { idProject, idTemplate: templates.bug, Title: `Ticket ${number}` })
      tickets.push((made.body as number[])[0] as number)
    }
    const end = performance.now() + minutes * 60_000
    const refused: unknown[] = []
    let answered = 0
    let number = 0

    async function work(person: Browser) {
      while (performance.now() < end) {
        const idTicket = tickets[++number % tickets.length] as number
        const answer = await [
          () => person.post(queryTickets, { idProject, Limit: 100 }),
          () => person.post(getTicketData, { idTicket }),
          () => person.post(getTicketComments, newestComments(idTicket)),
          () => person.post(getTicketData, { idTicket }),
          () =>
            number % 5
              ? person.post(queryTickets, { idProject, Limit: 100 })
              : person.post(setTicketComment, { idTicket, Comment: `${number}` }),
          () => person.post(setTicketData, { idTicket, Title: `Title ${number}` }),
        ][number % 6]?.()
        if (answer?.status === 200) answered++
        else refused.push(answer)
        await sleep(Math.random() * 2 * pause)
      }
    }
    /** A page that stays open, and one that reconnects. */
    async function listen(person: Browser, isLasting: boolean) {
      while (performance.now() < end) {
        const abort = new AbortController()
        const timer = setTimeout(() => abort.abort(), isLasting ? end - performance.now() : 1000)
        const answer = await fetch(`${product.address()}${events.path}`, { headers: person.headers(), signal: abort.signal })
        for await (const _ of answer.body ?? []) if (performance.now() >= end) break
        clearTimeout(timer)
      }
    }
    const postmaster = postmasterPid(path.join(product.data, 'postgres'))
    const sample = async (): Promise<Sample> => ({
      heap: await heapAfterCollection(product.process),
      server: privateBytes(pid),
      database: [postmaster, ...childPids(postmaster)].reduce((sum, each) => sum + privateBytes(each), 0),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      connections: childPids(postmaster).length,
    })

    const working = Promise.all([
      ...people.map(work),
      ...people.slice(0, isShort ? 2 : 4).map((person, index) => listen(person, index % 2 === 0).catch(() => undefined)),
    ])
    const samples: Sample[] = []
    while (performance.now() < end) {
      await sleep(isShort ? 1000 : 10_000)
      samples.push(await sample())
    }
    await working
    // The first third warms up: caches fill, code is compiled.
    const steady = samples.slice(Math.floor(samples.length / 3))
    const half = Math.floor(steady.length / 2)
    const [before, after] = [steady.slice(0, half), steady.slice(half)]
    const growth = (of: keyof Sample) => median(after.map(one => one[of])) / median(before.map(one => one[of])) - 1
    const heap = (part: Sample[]) => median(part.map(({ heap }) => heap))
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`
    const range = (of: 'descriptors' | 'connections') => steady.map(one => one[of])
    console.log(
      `soak: ${minutes} minutes, ${answered} answers, ${refused.length} refused; server ${megabytes(median(after.map(({ server }) => server)))} MiB (${percent(growth('server'))}), ` +
        `PostgreSQL ${megabytes(median(after.map(({ database }) => database)))} MiB (${percent(growth('database'))}), ` +
        `heap after collection ${megabytes(heap(before))} → ${megabytes(heap(after))} MiB, ` +
        `descriptors ${Math.min(...range('descriptors'))}–${Math.max(...range('descriptors'))}, connections ${Math.min(...range('connections'))}–${Math.max(...range('connections'))}`,
    )
    expect(refused).toEqual([])
    expect(product.process.output).not.toMatch(/unhandled|MaxListeners|defect/i)
    expect(Math.max(...range('descriptors')) - Math.min(...range('descriptors'))).toBeLessThan(60)
    expect(Math.max(...after.map(({ connections }) => connections))).toBeLessThanOrEqual(
      Math.max(...before.map(({ connections }) => connections)) + 2,
    )
    if (isShort) return
    expect(growth('server')).toBeLessThan(0.05)
    expect(growth('database')).toBeLessThan(0.1)
    expect(heap(after)).toBeLessThan(heap(before) + 3 * 2 ** 20)
  },
)
