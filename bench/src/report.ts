import { cpus, loadavg, totalmem } from 'node:os'
import type { BrowserMeasured } from './browser.ts'
import type { Spread } from './spread.ts'

/** One scenario at one size and number of connections: the medians of its rounds, with the extremes. */
export interface Row {
  tickets: number
  scenario: string
  connections: number
  workers: number
  perSecond: Spread
  p50: Spread
  p95: Spread
  p99: Spread
  serverCpuMs: Spread
  databaseCpuMs: Spread
  /** Transactions a second of the same statements through pgbench; null where that was not measured. */
  ceiling: Spread | null
  errors: number
}
export interface Result {
  date: string
  command: string
  machine: string
  loadAverage: [number, number]
  seconds: number
  rounds: number
  rows: Row[]
  memory: { tickets: number; workers: number; when: 'at rest' | 'after load'; server: number; database: number }[]
  browser: BrowserMeasured | null
}

export function machine() {
  const [first] = cpus()
  return `${cpus().length} × ${first?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node.js ${process.versions.node}`
}

/** The load average of the last minute and of the last 15 minutes. */
export function loadAverage(): [number, number] {
  const [minute = 0, , quarter = 0] = loadavg()
  return [Math.round(minute), Math.round(quarter)]
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
const tenth = (value: number) => value.toFixed(value < 10 ? 2 : 1)
const range = ({ median, low, high }: Spread) => `${whole(median)} (${whole(low)}–${whole(high)})`
const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, index) => (index < 1 ? '---' : '---:')), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
const mebi = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

export function markdown({ rows, memory, browser }: Result): string {
  const sizes = [...new Set(rows.map(({ tickets }) => tickets))]
  const parts = sizes.map(size => {
    const cells = rows
      .filter(({ tickets }) => tickets === size)
      .map(row => [
        row.scenario,
        `${row.workers}`,
        `${row.connections}`,
        range(row.perSecond),
        tenth(row.p50.median),
        tenth(row.p95.median),
        tenth(row.p99.median),
        tenth(row.serverCpuMs.median),
        tenth(row.databaseCpuMs.median),
        row.ceiling ? whole(row.ceiling.median) : '',
        row.ceiling ? (row.perSecond.median / row.ceiling.median).toFixed(2) : '',
        `${row.errors}`,
      ])
    const head = [
      'Call',
      'Processes',
      'Connections',
      'Requests/s (low–high)',
      'p50 ms',
      'p95',
      'p99',
      'CPU ms server',
      'database',
      'SQL alone/s',
      'Share',
      'Errors',
    ]
    return `### ${whole(size)} tickets\n\n${table(head, cells)}`
  })
  const held = table(
    ['Memory (PSS)', 'Processes', 'When', 'Server', 'PostgreSQL', 'Together'],
    memory.map(({ tickets, workers, when, server, database }) => [
      `${whole(tickets)} tickets`,
      `${workers}`,
      when,
      mebi(server),
      mebi(database),
      mebi(server + database),
    ]),
  )
  return [...parts, growth(rows), held, ...(browser ? [browserTable(browser)] : [])].filter(part => part !== '').join('\n\n')
}

/** How the median response time at 16 connections grows with the project, against the smallest. */
function growth(rows: readonly Row[]) {
  const sizes = [...new Set(rows.map(({ tickets }) => tickets))]
  const [smallest] = sizes
  if (sizes.length < 2) return ''
  const at16 = rows.filter(({ connections, workers }) => connections === 16 && workers === 1)
  const names = [...new Set(at16.map(({ scenario }) => scenario))]
  const of = (scenario: string, size: number | undefined) =>
    at16.find(row => row.scenario === scenario && row.tickets === size)?.p50.median ?? 0
  return table(
    [
      'p50 at 16 connections, ms',
      ...sizes.map(size => whole(size)),
      ...sizes.slice(1).map(size => `${whole(size)} ÷ ${whole(smallest ?? 0)}`),
    ],
    names.map(name => [
      name,
      ...sizes.map(size => tenth(of(name, size))),
      ...sizes.slice(1).map(size => (of(name, size) / of(name, smallest)).toFixed(2)),
    ]),
  )
}

function browserTable(browser: BrowserMeasured) {
  const span = ({ median, low, high }: Spread) => `${whole(median)} ms (${whole(low)}–${whole(high)})`
  const rows: [string, string][] = [
    ['Project list, cold: navigation to rows', span(browser.coldMs)],
    ['Project list, cold: until the application answers', span(browser.coldReadyMs)],
    ['Project list, warm: navigation to rows', span(browser.warmMs)],
    ['Project list, warm: until the application answers', span(browser.warmReadyMs)],
    ['Click on a row to the open ticket', span(browser.openMs)],
    ['Script of the project page until its rows, gzip', `${(browser.scriptBytes / 1000).toFixed(1)} kB in ${browser.scripts} files`],
    ['The same with all that follows by itself', `${(browser.scriptBytesInAll / 1000).toFixed(1)} kB in ${browser.scriptsInAll} files`],
    ['Long tasks while loading cold', `${browser.longTasks} (${whole(browser.longTaskMs)} ms)`],
    ...[browser.wheeling, browser.jumping].map((scrolling): [string, string] => [
      `Scrolling ${whole(browser.scrolledRows)} rows at ${whole(scrolling.pixelsPerSecond)} pixels/s, CPU ÷ ${browser.throttle}`,
      `${scrolling.frames} frames, ${scrolling.dropped} dropped; slowest ${whole(scrolling.slowestFrameMs)} ms; busy ${tenth(scrolling.busyMsPerFrame)} ms a frame`,
    ]),
    ['JavaScript heap after that', mebi(browser.heapBytes)],
  ]
  return table(['In the browser', 'Measured'], rows)
}

const colors = ['#2563eb', '#0f766e', '#b45309', '#be123c', '#6d28d9', '#475569']

interface Line {
  name: string
  points: [x: number, y: number][]
}

/** Both axes logarithmic: what grows with the load or the project, and what does not. */
function plot(title: string, xLabel: string, yLabel: string, lines: Line[]) {
  const [width, height, left, right, top, bottom] = [860, 420, 70, 230, 40, 50]
  const all = lines.flatMap(({ points }) => points)
  const extent = (values: number[]) => [Math.min(...values), Math.max(...values)] as const
  const [[x0, x1], [y0, y1]] = [extent(all.map(([x]) => x)), extent(all.map(([, y]) => y))]
  const low = 10 ** Math.floor(Math.log10(y0))
  const high = 10 ** Math.ceil(Math.log10(y1))
  const place = (value: number, from: number, to: number) => (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from) || 1)
  const x = (value: number) => left + place(value, x0, x1) * (width - left - right)
  const y = (value: number) => height - bottom - place(value, low, high) * (height - top - bottom)
  const text = (at: number, down: number, content: string, anchor = 'middle', color = '#334155') =>
    `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" text-anchor="${anchor}" fill="${color}">${content}</text>`
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, index) => low * 10 ** index)
  const ticks = [...new Set(all.map(([value]) => value))]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${title}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 22, title, 'start', '#0f172a'),
    ...decades.map(
      value =>
        `<path d="M${left} ${y(value).toFixed(1)}H${width - right}" stroke="#e2e8f0"/>${text(left - 8, y(value) + 4, value.toLocaleString('en'), 'end')}`,
    ),
    ...ticks.map(value => text(x(value), height - bottom + 20, value.toLocaleString('en'))),
    text((left + width - right) / 2, height - 10, xLabel),
    text(left, 36, yLabel, 'start'),
    ...lines.flatMap(({ name, points }, index) => {
      const color = colors[index % colors.length]
      const path = points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('')
      return [
        `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...points.map(([px, py]) => `<circle cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3.5" fill="${color}"/>`),
        `<rect x="${width - right + 20}" y="${top + 10 + index * 24}" width="12" height="12" fill="${color}"/>`,
        text(width - right + 40, top + 21 + index * 24, name, 'start'),
      ]
    }),
    '</svg>\n',
  ].join('\n')
}

export function plots({ rows }: Result): Record<string, string> {
  const smallest = Math.min(...rows.map(({ tickets }) => tickets))
  const single = rows.filter(({ workers }) => workers === 1)
  const lines = (of: Row[], x: (row: Row) => number, y: (row: Row) => number): Line[] =>
    [...Map.groupBy(of, ({ scenario }) => scenario)].map(([name, group]) => ({
      name,
      points: group.map((row): [number, number] => [x(row), y(row)]).sort(([a], [b]) => a - b),
    }))
  const at16 = single.filter(({ connections }) => connections === 16)
  return {
    'throughput-by-connections.svg': plot(
      `Requests a second, ${smallest.toLocaleString('en')} tickets`,
      'connections',
      'requests/s',
      lines(
        single.filter(({ tickets }) => tickets === smallest),
        row => row.connections,
        row => row.perSecond.median,
      ),
    ),
    'p50-by-tickets.svg': plot(
      'Median response time at 16 connections',
      'tickets in the project',
      'p50, ms',
      lines(
        at16,
        row => row.tickets,
        row => row.p50.median,
      ),
    ),
  }
}
