/** `npm run bench`: measures the product in production mode, call by call, against what PostgreSQL alone does with the same statements. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BrowserMeasured, measureBrowser } from './browser.ts'
import { capture, ceiling, hasPgbench } from './ceiling.ts'
import { comparePages } from './compare.ts'
import { type Dataset, describeImported, generate } from './data.ts'
import { explainAll } from './explain.ts'
import { measureFinding } from './find/measure.ts'
import { browserHeaders, load, type Measured } from './load.ts'
import { type Product, startProduct, type Usage } from './product.ts'
import { loadAverage, machine, markdown, plots, type Result, type Row } from './report.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { spread } from './spread.ts'

const usage = `npm run bench -- [options]

  --tickets 10000,100000,1000000   sizes, each an installation of its own (default 10000)
  --connections 1,16,64
  --seconds 5                      for each point
  --rounds 3                       interleaved; medians, lowest and highest are printed
  --workers 1,4                    numbers of server processes to compare (default 1)
  --only query,get-ticket-data     scenarios whose name contains one of these
  --csv export.csv                 Jira's CSV export through the import instead of generated tickets
  --data directory                 keep the installations there and use them again
  --browser                        measure in Chromium too
  --find                           search, lists, boards and changes of many, one call at a time, and nothing else
  --against folder                 compare pages in Chromium with another checkout, interleaved, and nothing else
  --report                         copy tables and plots into docs/performance.md and docs/images`

const { values: options } = parseArgs({
  options: {
    tickets: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '1,16,64' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
    csv: { type: 'string' },
    data: { type: 'string' },
    browser: { type: 'boolean', default: false },
    find: { type: 'boolean', default: false },
    against: { type: 'string' },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (options.help) {
  console.log(usage)
  process.exit()
}

const numbers = (text: string) => text.split(',').map(Number)
const root = fileURLToPath(new URL('../..', import.meta.url))
const results = path.join(root, 'bench/results')
const folder = path.resolve(options.data ?? mkdtempSync(path.join(tmpdir(), 'tessera-bench-')))
mkdirSync(folder, { recursive: true })
chmodSync(folder, 0o755)
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const connectionCounts = numbers(options.connections)
const workerCounts = numbers(options.workers)
const wanted = scenarios.filter(({ name }) => options.only?.split(',').some(part => name.includes(part)) ?? true)
const sizes = options.csv ? [0] : numbers(options.tickets)

if (options.against) {
  await comparePages(folder, root, path.resolve(options.against), sizes[0] ?? 0, rounds)
  if (!options.data) rmSync(folder, { recursive: true, force: true })
  process.exit()
}

interface Installation {
  data: string
  dataset: Dataset
}
interface Running extends Installation {
  product: Product
  workers: number
  session: Record<string, string>
  stranger: Record<string, string>
}
interface Point {
  measured: Measured[]
  used: { serverCpuMs: number; databaseCpuMs: number }[]
  ceilings: number[]
}

const installations: Installation[] = []
for (const tickets of sizes) installations.push(await prepare(tickets))
if (options.find) {
  const running: Running[] = []
  try {
    for (const installation of installations) running.push(await start(installation, 1))
    console.log(`\n${await measureFinding(running, rounds)}\n\nLoad average: ${loadAverage().join(', ')}`)
  } finally {
    for (const { product } of running) await product.stop()
  }
  if (!options.data) rmSync(folder, { recursive: true, force: true })
  process.exit()
}
const points = new Map<string, Point>()
const memory: Result['memory'] = []
let browser: BrowserMeasured | null = null
let plans = ''
const pgbench = hasPgbench()
if (!pgbench) console.log('pgbench is not installed: the ceiling of PostgreSQL alone is not measured (Debian: postgresql-contrib).')

for (const workers of workerCounts) {
  const running: Running[] = []
  try {
    for (const installation of installations) running.push(await start(installation, workers))
    await sleep(3000)
    for (const each of running) remember(each, 'at rest')
    for (let round = 0; round <= rounds; round++)
      for (const scenario of wanted) for (const each of running) await measure(each, scenario, round)
    await sleep(3000)
    for (const each of running) remember(each, 'after load')
    const [smallest, largest] = [running[0], running.at(-1)]
    if (workers === 1 && smallest && options.browser) browser = await measureBrowser(smallest.product.url, smallest.dataset)
    if (workers === 1 && largest) plans = await explainAll(largest.product.connection, largest.data, largest.dataset, largest)
  } finally {
    for (const { product } of running) await product.stop()
  }
}

const result: Result = {
  date: new Date().toISOString().slice(0, 10),
  command: `npm run bench -- ${process.argv
    .slice(2)
    .filter(argument => argument !== '--report')
    .join(' ')}`,
  machine: machine(),
  loadAverage: loadAverage(),
  seconds,
  rounds,
  rows: [...points].map(([key, point]) => rowOf(key, point)),
  memory,
  browser,
}
write(result)
if (!options.data) rmSync(folder, { recursive: true, force: true })

async function prepare(tickets: number): Promise<Installation> {
  const data = path.join(folder, options.csv ? 'csv' : String(tickets))
  const known = path.join(data, 'dataset.json')
  if (existsSync(known)) return { data, dataset: JSON.parse(readFileSync(known, 'utf8')) as Dataset }
  mkdirSync(data, { recursive: true })
  const began = performance.now()
  const product = await startProduct(data, {
    TESSERA_ADMIN_LOGIN: 'bench-operator',
    TESSERA_ADMIN_PASSWORD: 'correct horse battery staple',
    TESSERA_ORGANIZATION: 'Benchmark',
  })
  try {
    if (options.csv) await run(['server/bin/tessera.mjs', 'import', path.resolve(options.csv), '--project', 'BENCH'], data)
    const dataset = await (options.csv ? describeImported(product.connection) : generate(product.connection, tickets))
    writeFileSync(known, JSON.stringify(dataset))
    console.log(`${dataset.tickets.toLocaleString('en')} tickets made in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    return { data, dataset }
  } finally {
    await product.stop()
  }
}

async function run(args: string[], data: string) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, TESSERA_DATA: data }, stdio: 'inherit' })
  const code = await new Promise(resolve => child.on('close', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

async function start(installation: Installation, workers: number): Promise<Running> {
  const product = await startProduct(installation.data, { TESSERA_WORKERS: String(workers) })
  const [session, stranger] = [await browserHeaders(product.url, installation.dataset.login), await browserHeaders(product.url)]
  return { ...installation, product, workers, session, stranger }
}

function remember({ dataset, product, workers }: Running, when: 'at rest' | 'after load') {
  const { serverPss, databasePss } = product.usage()
  memory.push({ tickets: dataset.tickets, workers, when, server: serverPss, database: databasePss })
}

/** Round 0 warms up and is not counted: long enough for each process to have met the call often enough to compile it. */
async function measure({ data, dataset, product, workers, session, stranger }: Running, scenario: Scenario, round: number) {
  const headers = scenario.isPublic ? stranger : session
  for (const connections of connectionCounts) {
    const key = [dataset.tickets, workers, scenario.name, connections].join('|')
    const point = points.get(key) ?? { measured: [], used: [], ceilings: [] }
    points.set(key, point)
    const before = product.usage()
    const measured = await load(product.url, dataset, scenario, headers, { connections, seconds: round === 0 ? 2 * workers : seconds })
    if (round === 0) continue
    point.measured.push(measured)
    point.used.push(perRequest(before, product.usage(), measured.requests))
    let alone = ''
    if (pgbench && workers === 1 && connections === 16) {
      const captured = await capture(product.connection, data, dataset, scenario, headers)
      const rate = await ceiling(product.connection, data, dataset, captured, {
        connections,
        seconds: Math.min(seconds, 3),
        isShortRead: scenario.isShortRead ?? false,
      })
      if (rate === undefined) alone = ', SQL alone: a statement was canceled'
      else {
        point.ceilings.push(rate)
        alone = `, SQL alone ${Math.round(rate)}/s, share ${(measured.perSecond / rate).toFixed(2)}`
      }
    }
    console.log(
      `${round}  ${String(dataset.tickets).padStart(8)}  ${scenario.name.padEnd(26)} ${workers} × ${String(connections).padStart(2)}  ${String(Math.round(measured.perSecond)).padStart(6)}/s` +
        `  p50 ${measured.p50.toFixed(2)} p99 ${measured.p99.toFixed(2)} ms  errors ${measured.errors}${alone}`,
    )
  }
}

function perRequest(before: Usage, after: Usage, requests: number) {
  const share = (name: 'serverCpuMs' | 'databaseCpuMs') => (after[name] - before[name]) / Math.max(1, requests)
  return { serverCpuMs: share('serverCpuMs'), databaseCpuMs: share('databaseCpuMs') }
}

function rowOf(key: string, { measured, used, ceilings }: Point): Row {
  const [tickets, workers, scenario = '', connections] = key.split('|')
  const of = (name: 'perSecond' | 'p50' | 'p95' | 'p99') => spread(measured.map(each => each[name]))
  return {
    tickets: Number(tickets),
    workers: Number(workers),
    scenario,
    connections: Number(connections),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    serverCpuMs: spread(used.map(each => each.serverCpuMs)),
    databaseCpuMs: spread(used.map(each => each.databaseCpuMs)),
    ceiling: ceilings.length > 0 ? spread(ceilings) : null,
    errors: measured.reduce((sum, { errors }) => sum + errors, 0),
  }
}

function textOf(outcome: Result) {
  return `Measured on ${outcome.date} on ${outcome.machine} with\n\`${outcome.command}\`:\n${rounds} interleaved rounds of ${seconds} s for each point after one to warm up; medians, in brackets the lowest and highest round. Load average of the machine at the end: ${outcome.loadAverage.join(' (a minute), ')} (a quarter of an hour).\n\n${markdown(outcome)}\n`
}

function write(outcome: Result) {
  mkdirSync(results, { recursive: true })
  const text = textOf(outcome)
  writeFileSync(path.join(results, 'results.json'), `${JSON.stringify(outcome, null, 2)}\n`)
  writeFileSync(path.join(results, 'results.md'), text)
  writeFileSync(path.join(results, 'plans.md'), plans)
  const images = plots(outcome)
  for (const [name, svg] of Object.entries(images)) writeFileSync(path.join(results, name), svg)
  console.log(`\n${text}\nWritten to ${results}.`)
  if (!options.report) return
  const [page, folderOfImages] = [path.join(root, 'docs/performance.md'), path.join(root, 'docs/images')]
  mkdirSync(folderOfImages, { recursive: true })
  for (const [name, svg] of Object.entries(images)) writeFileSync(path.join(folderOfImages, name), svg)
  const marked = (document: string, name: string, content: string) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [document.indexOf(open), document.indexOf(close)]
    if (from === -1 || to === -1) throw new Error(`${page} has no place for ${name}: it lacks ${open} or ${close}`)
    return `${document.slice(0, from)}${open}\n${content.trim()}\n${document.slice(to)}`
  }
  // The plots have the other numbers of connections.
  const shown = textOf({ ...outcome, rows: outcome.rows.filter(({ connections }) => connections === 16) })
  writeFileSync(page, marked(readFileSync(page, 'utf8'), 'results', shown))
  console.log(`Copied into ${page}.`)
}
