/**
 * `npm test`: style, structure, types, dead code, tests of contract, server and web, the build, journeys in a browser, conformance. Ends with the
 * counts. Tests that are tagged as long run only with `--all`, which is `npm run test:all`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const all = process.argv.includes('--all')
const root = path.dirname(import.meta.dirname)
const reports = mkdtempSync(path.join(tmpdir(), 'tessera-test-'))
// The tools find the Node.js that runs this, not an older one of the system.
const environment = {
  ...process.env,
  PATH: [path.dirname(process.execPath), path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
  // The tests start the product and its commands about a hundred times: each start then takes two thirds of the processor time.
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
}
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
/** Each failure again at the very end: whoever reads only the tail of a long report finds it there. */
const failures: string[] = []

function run(command: string[], { quiet = false, env = {} }: { quiet?: boolean; env?: Record<string, string> } = {}) {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: root,
    env: { ...environment, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text))
  return new Promise<{ ok: boolean; output: string }>(resolve => {
    child.on('error', error => resolve({ ok: false, output: error.message }))
    child.on('close', code => resolve({ ok: code === 0, output }))
  })
}

/** How long each part took, for the end of the report. */
const times: [part: string, seconds: number][] = []

async function timed<T>(part: string, work: () => Promise<T>) {
  const started = performance.now()
  console.log(`\n${part}`)
  const result = await work()
  times.push([part, Math.round((performance.now() - started) / 1000)])
  return result
}

/** A step that passes or fails as a whole. */
async function check(name: string, command: string[]) {
  const { ok, output } = await run(command, { quiet: true })
  console.log(`${ok ? '✓' : '✗'} ${name}`)
  if (!ok) {
    console.log(output.trim())
    failures.push(`${name}\n${output.trim().split('\n').slice(0, 20).join('\n')}`)
  }
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
}

/** A step that reports its own counts; a failed exit without a failed test counts as one failure. */
async function tests(name: string, command: string[], env: Record<string, string>, read: () => { counts: Counts; failed: string[] }) {
  const { ok } = await run(command, { env })
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  try {
    const result = read()
    counts = result.counts
    failures.push(...result.failed)
  } catch (error) {
    // After a run that failed, it is no surprise.
    if (ok) {
      counts.failed = 1
      failures.push(`${name}: its report cannot be read: ${(error as Error).message}`)
    }
  }
  if (!ok && counts.failed === 0) {
    counts.failed = 1
    failures.push(`${name} ended with an error outside of its tests: see above`)
  }
  add(counts)
}

function add({ passed, failed, skipped }: Counts) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

function report(file: string) {
  return JSON.parse(readFileSync(path.join(reports, file), 'utf8'))
}

function vitestResult() {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report('vitest.json')
  const failed: string[] = []
  let leftOut = 0
  for (const { name, status, message, assertionResults } of testResults) {
    if (!all) leftOut += assertionResults.filter((test: { tags: string[] }) => test.tags.includes('long')).length
    const file = path.relative(root, name)
    const tests = assertionResults.filter((test: { status: string }) => test.status === 'failed')
    for (const test of tests) failed.push(failure(`${file} › ${test.fullName}`, test.failureMessages.join('\n')))
    if (status === 'failed' && tests.length === 0) failed.push(failure(file, message))
  }
  return { counts: { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests - leftOut }, failed }
}

interface Suite {
  suites?: Suite[]
  specs?: { ok: boolean; title: string; file: string; line: number; tests: { results: { errors: { message?: string }[] }[] }[] }[]
}

function playwrightResult() {
  const { stats, suites } = report('playwright.json')
  const failed: string[] = []
  const collect = ({ suites = [], specs = [] }: Suite) => {
    for (const { ok, title, file, line, tests } of specs) {
      const messages = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message ?? '')))
      if (!ok) failed.push(failure(`e2e/${file}:${line} › ${title}`, messages.join('\n')))
    }
    for (const suite of suites) collect(suite)
  }
  for (const suite of suites) collect(suite)
  return { counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }, failed }
}

/** The title and the first lines of what went wrong. */
function failure(title: string, message: string) {
  return [title, ...stripVTControlCharacters(message).trim().split('\n').slice(0, 12)].join('\n')
}

const outside = /node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
if (outside && outside !== process.versions.node)
  console.log(`npm runs on Node.js ${outside}; the tests run on the Node.js ${process.versions.node} that npm ci installed.`)

await timed('Checks', () =>
  Promise.all([
    check('format and lint', ['biome', 'check', '--error-on-warnings', '.']),
    check('dead code', ['knip', '--no-config-hints']),
    check('licenses', [process.execPath, 'scripts/check-licenses.ts']),
    check('structure', [process.execPath, 'scripts/check-structure.ts']),
    // That of e2e includes bench.
    ...['contract', 'server', 'web', 'e2e'].map(workspace => check(`types of ${workspace}`, ['tsc', '-p', workspace])),
  ]),
)

// Before the tests: `npm start`, which one of them runs, would build it too.
await timed('Build', () => check('web application', ['npm', 'run', '--silent', 'build']))

const vitest = [
  ...['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${path.join(reports, 'vitest.json')}`],
  ...(all ? [] : ['--tags-filter=!long']),
]
await timed('Tests of contract, server and web', () => tests('vitest', vitest, {}, vitestResult))

const journeys = [
  ...[process.execPath, 'scripts/browser.ts', 'playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
  ...(all ? [] : ['--grep-invert=@long']),
]
const journeysEnv = { TESSERA_E2E_BUILT: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(reports, 'playwright.json') }
await timed('Journeys in a browser', () => tests('playwright', journeys, journeysEnv, playwrightResult))

await timed('Conformance', () =>
  check('each sentence of the specification has a passing test', [
    process.execPath,
    'scripts/conformance.ts',
    path.join(reports, 'vitest.json'),
    path.join(reports, 'playwright.json'),
  ]),
)

rmSync(reports, { recursive: true, force: true })
console.log('')
for (const [part, seconds] of times) console.log(`${part}: ${Math.floor(seconds / 60)} min ${seconds % 60} s`)
if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join('\n\n')}`)
if (!all) console.log('\nLong tests are left out: npm run test:all runs them too.')
if (total.skipped > 0) console.log(`\n${total.skipped} skipped: each says above what it needs.`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
