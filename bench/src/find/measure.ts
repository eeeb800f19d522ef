import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { queryBoard } from '@tessera/contract/tickets/board'
import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { searchTickets, suggestSearch } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { connect } from '@tessera/server/db/connections/connect'
import { sql } from 'kysely'
import type { Dataset } from '../data.ts'
import { browserHeaders } from '../load.ts'
import type { Product } from '../product.ts'
import { makeDays, misspelt, vocabulary, wordOf } from './data.ts'

/** A running installation, and somebody's session there. */
export interface Measured {
  dataset: Dataset
  product: Product
  session: Record<string, string>
}
/** Calls that are measured together: the same ones at each size. */
interface Group {
  name: string
  calls: (dataset: Dataset) => { call: Call; input: unknown }[]
}
/** Milliseconds; null for a query that timed out. */
type Time = number | null

/** Tickets that are changed at once. */
const many = 1000
/** Milliseconds between another user's saves: a program that never waits, and one that saves many times as often as a person. */
const pauses = [0, 10]

/** Numbers from 0 to 1, the same ones in each run. */
function drawing(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** Sixty queries of one to three words, as frequent as they are in the texts. */
function drawnQueries(): string[][] {
  const random = drawing(7)
  return Array.from({ length: 60 }, (_, n) =>
    Array.from({ length: 1 + (n % 3) }, () => wordOf(Math.floor((vocabulary - 1) * random() ** 3))),
  )
}

const searches = (queries: readonly string[]) => queries.map(Query => ({ call: searchTickets, input: { Query, Limit: 10 } }))
const search = (name: string, Query: string): Group => ({ name, calls: () => searches([Query]) })
const list = (name: string, input: Partial<Request<typeof queryTickets>>): Group => ({
  name,
  calls: ({ projectId }) => [{ call: queryTickets, input: { idProject: projectId, ...input } }],
})
const board = (name: string, input: Omit<Request<typeof queryBoard>, 'idProject'>): Group => ({
  name,
  calls: ({ projectId }) => [{ call: queryBoard, input: { idProject: projectId, ...input } }],
})
/** What the calendar and the timeline of the browser ask for. */
const dated = (name: string, Query: string, Columns: string[]) =>
  list(name, {
    Query,
    Columns,
    Sort: Columns.slice(0, 1).map(Column => ({ Column, Direction: 'asc' as const })),
    Zone: 'UTC',
    Limit: limits.pageSizeMax,
  })
const acrossWeeks = 'start:2026-11-02..2026-12-13 or due:2026-11-02..2026-12-13 or start:<2026-11-02 due:>2026-12-13'
const groups: Group[] = [
  { name: 'search: 60 queries of one to three words', calls: () => searches(drawnQueries().map(words => words.join(' '))) },
  { name: 'search: the same, an error in each word', calls: () => searches(drawnQueries().map(words => words.map(misspelt).join(' '))) },
  {
    name: 'suggestions',
    calls: () =>
      drawnQueries()
        .slice(0, 20)
        .map(([word = '']) => ({ call: suggestSearch, input: { Query: word.slice(0, 4), Caret: 4 } })),
  },
  search('search: a word in every seventh title', 'wire'),
  search('search: two words of titles and one of texts', `wire engine ${wordOf(0)}`),
  search('search: is:open', 'is:open'),
  list('list', {}),
  list('list: Mine', { Mine: 1 }),
  list('list: Title', { Title: 'wire' }),
  list('list: by title', { Query: 'sort:title' }),
  list('list: query of a word', { Query: wordOf(30) }),
  board('board by state', { Group: 'State' }),
  board('board by assignee', { Group: 'Assignee' }),
  board('board by a SELECT field', { Group: 'priority' }),
  board('board by state, lanes by parent', { Group: 'State', Lanes: 'Parent' }),
  board('board by state, lanes by assignee', { Group: 'State', Lanes: 'Assignee' }),
  board('board by state, lanes by label', { Group: 'State', Lanes: 'Label' }),
  board('board of a word, lanes by assignee', { Group: 'State', Lanes: 'Assignee', Query: wordOf(30) }),
  dated('calendar: a month', 'due:2026-11-01..2026-11-30', ['due']),
  dated('timeline: six weeks', acrossWeeks, ['start', 'due']),
  dated('timeline: six weeks of is:open', `is:open (${acrossWeeks})`, ['start', 'due']),
]

/**
 * Search, lists, boards and bulk changes, one call at a time and the installations interleaved. Returns Markdown: for each call the minimum of its rounds,
 * for a group of calls the median and the 95th percentile of these minima.
 */
export async function measureFinding(running: readonly Measured[], rounds: number): Promise<string> {
  const changed = new Map<Measured, Changed>()
  for (const each of running) changed.set(each, await complete(each))
  const rows = []
  for (const group of groups) {
    const minima = await minimaOf(group, running, rounds)
    rows.push([group.name, ...minima.map(cellOf)])
    console.log(rows.at(-1)?.join('   '))
  }
  const changes = []
  for (let round = 0; round < rounds; round++)
    for (const [each, what] of changed)
      for (const pause of pauses) {
        changes.push([each.dataset.tickets.toLocaleString('en'), String(pause), ...(await changeMany(each, what, pause))])
        console.log(changes.at(-1)?.join('   '))
      }
  return [
    table(['Milliseconds: p50, p95', ...running.map(({ dataset }) => dataset.tickets.toLocaleString('en'))], rows),
    `${many} tickets, state and a field of each, while somebody else saves one ticket after the other:`,
    table(headOfChanges, changes),
  ].join('\n\n')
}

const headOfChanges = [
  'Tickets in the project',
  "pause between other's saves, ms",
  'preview',
  'apply',
  'tickets a second',
  'revert',
  "other's saves p95 before",
  'while it is applied',
  'while it is reverted',
]

/** For each installation the shortest time of each call. The first round warms up and does not count. */
async function minimaOf(group: Group, running: readonly Measured[], rounds: number): Promise<Time[][]> {
  const measured = running.map(each => ({ each, calls: group.calls(each.dataset), minima: [] as Time[] }))
  for (let round = 0; round <= rounds; round++)
    for (const { each, calls, minima } of measured)
      for (const [index, { call, input }] of calls.entries()) {
        const time = await timeOf(each, call, input)
        const isCounted = round > 0 && time !== null
        minima[index] = isCounted ? Math.min(minima[index] ?? Number.POSITIVE_INFINITY, time) : (minima[index] ?? null)
      }
  return measured.map(({ minima }) => minima)
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const shown = (time: number) => time.toFixed(time < 10 ? 1 : 0)
function cellOf(times: readonly Time[]) {
  const done = times.filter(time => time !== null)
  const timedOut = times.length - done.length
  const text =
    times.length === 1 && done[0] !== undefined ? shown(done[0]) : `${shown(percentile(done, 0.5))}, ${shown(percentile(done, 0.95))}`
  if (timedOut === 0) return text
  return done.length === 0 ? 'timed out' : `${text}; ${timedOut} timed out`
}
function percentile(times: readonly number[], part: number) {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

async function post({ product, session }: Measured, call: Call, input: unknown) {
  const answer = await fetch(`${product.url}${call.path}`, { method: 'POST', headers: session, body: JSON.stringify(input) })
  return { status: answer.status, body: await answer.json() }
}
async function timeOf(each: Measured, call: Call, input: unknown): Promise<Time> {
  const began = performance.now()
  const { status, body } = await post(each, call, input)
  const time = performance.now() - began
  if (status === 400 && (body as { code?: string }).code === 'query') return null
  if (status !== 200) throw new Error(`${call.path} ${JSON.stringify(input)}: ${status} ${JSON.stringify(body)}`)
  return time
}

/** One bulk change and its revert, so that the tickets are as before. */
async function changeMany(one: Measured, { label, state }: Changed, pause: number): Promise<string[]> {
  const { dataset, product } = one
  const other = { ...one, session: await browserHeaders(product.url, `bench-${dataset.people.first}`) }
  const saves = savesOf(other, pause)
  try {
    await sleep(3000)
    const before = saves.take()
    let began = performance.now()
    const seen = await expectBody(one, previewBulkChange, {
      idProject: dataset.projectId,
      Filter: { Labels: [label] },
      Change: { State: state, data: { priority: 'high' } },
    })
    const preview = performance.now() - began
    saves.take()
    began = performance.now()
    const applied = await expectBody(one, applyBulkChange, { idPreview: seen.idPreview })
    const apply = performance.now() - began
    const during = saves.take()
    began = performance.now()
    const reverted = await expectBody(one, revertChangeSet, { idChangeSet: applied.idChangeSet })
    const revert = performance.now() - began
    const after = saves.take()
    // What the other person saved meanwhile is left alone.
    if (reverted.Changed < many * 0.9) throw new Error(`changed ${applied.Changed}, reverted ${reverted.Changed} of ${many} tickets`)
    const saveTimes = [before, during, after].map(times => percentile(times, 0.95))
    return [preview, apply, (applied.Changed / apply) * 1000, revert, ...saveTimes].map(shown)
  } finally {
    await saves.end()
  }
}
async function expectBody(each: Measured, call: Call, input: unknown) {
  const { status, body } = await post(each, call, input)
  if (status !== 200) throw new Error(`${call.path}: ${status} ${JSON.stringify(body)}`)
  return body as { idPreview: number; idChangeSet: number; Changed: number }
}

/** What is changed at once. */
interface Changed {
  label: number
  /** A state that none of the labelled tickets is in. */
  state: number
}

/** Gives nine tenths of the tickets a priority and two days, and a thousand, spread over the project, a label. A second time nothing is written. */
async function complete({ dataset, product }: Measured): Promise<Changed> {
  const db = connect(product.connection, { poolSize: 1, noTimeLimits: true })
  try {
    const [o, p] = [sql.lit(dataset.organizationId), sql.lit(dataset.projectId)]
    const idOf = async (table: 'state' | 'label' | 'field', condition: ReturnType<typeof sql>) =>
      (
        await sql<{
          id: number
        }>`select id from ${sql.table(table)} where organization_id = ${o} and project_id = ${p} and ${condition}`.execute(db)
      ).rows[0]?.id as number
    const state = await idOf('state', sql`name = 'Rejected'`)
    const known = await idOf('label', sql`name = 'changed-at-once'`)
    if (known !== undefined) return { label: known, state }
    const field = await idOf('field', sql`key = 'priority'`)
    // The search of these values is not measured: without its trigger they come in one piece.
    await sql`set session_replication_role = replica`.execute(db)
    await sql`
      insert into ticket_value (organization_id, ticket_id, field_id, value)
      select ${o}, id, ${sql.lit(field)}, (array['low', 'low', 'low', 'high'])[1 + id % 4] from ticket
      where organization_id = ${o} and project_id = ${p} and id % 10 <> 3 on conflict do nothing`.execute(db)
    await makeDays(db, dataset)
    await sql`set session_replication_role = origin`.execute(db)
    await sql`insert into label (organization_id, project_id, name, color) values (${o}, ${p}, 'changed-at-once', '#888888')`.execute(db)
    const label = await idOf('label', sql`name = 'changed-at-once'`)
    await sql`
      insert into ticket_label (organization_id, ticket_id, label_id)
      select ${o}, id, ${sql.lit(label)} from ticket
      where organization_id = ${o} and project_id = ${p} and state_id <> ${sql.lit(state)} order by hashint8(id) limit ${sql.lit(many)}`.execute(
      db,
    )
    await sql`vacuum analyze ticket_value, ticket_label`.execute(db)
    return { label, state }
  } finally {
    await db.destroy()
  }
}

/** Saves of titles, one after the other, with so many milliseconds between them; `take` returns how long those since its last call took. */
function savesOf(person: Measured, pause: number) {
  const { first, last } = person.dataset
  let times: number[] = []
  let isEnding = false
  const running = (async () => {
    for (let n = 0; !isEnding; n++) {
      const time = await timeOf(person, setTicketData, { idTicket: first + ((n * 7919) % (last - first + 1)), Title: `Saved ${n}` })
      if (time !== null) times.push(time)
      if (pause > 0) await sleep(pause)
    }
  })()
  // Its error is thrown by `end`, which is called later.
  running.catch(() => {})
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    async end() {
      isEnding = true
      await running
    },
  }
}
