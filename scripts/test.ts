/** `npm test`: style, structure, types, dead code, tests of contract, server and web, the build, journeys in a browser, conformance. Ends with the counts. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

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
  if (!ok) console.log(output.trim())
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
}

/** A step that reports its own counts; a failed exit without a failed test counts as one failure. */
async function tests(command: string[], env: Record<string, string>, countsOf: () => Counts) {
  const { ok } = await run(command, { env })
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  try {
    counts = countsOf()
  } catch {}
  if (!ok && counts.failed === 0) counts.failed = 1
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

const outside = /node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
if (outside && outside !== process.versions.node)
  console.log(`npm runs on Node.js ${outside}; the tests run on the Node.js ${process.versions.node} that npm ci installed.`)

await timed('Checks', () =>
  Promise.all([
    check('format and lint', ['biome', 'check', '--error-on-warnings', '.']),
    check('dead code', ['knip', '--no-config-hints']),
    check('licences', [process.execPath, 'scripts/check-licences.ts']),
    check('structure', [process.execPath, 'scripts/check-structure.ts']),
    ...['contract', 'server', 'web', 'e2e', 'bench'].map(workspace => check(`types of ${workspace}`, ['tsc', '-p', workspace])),
  ]),
)

await timed('Tests of contract, server and web', () =>
  tests(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${path.join(reports, 'vitest.json')}`], {}, () => {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report('vitest.json')
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  }),
)

await timed('Build', () => check('web application', ['npm', 'run', '--silent', 'build']))

await timed('Journeys in a browser', () =>
  tests(
    [process.execPath, 'scripts/browser.ts', 'playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    { TESSERA_E2E_BUILT: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(reports, 'playwright.json') },
    () => {
      const { expected, unexpected, flaky, skipped } = report('playwright.json').stats
      return { passed: expected, failed: unexpected + flaky, skipped }
    },
  ),
)

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
if (total.skipped > 0) console.log(`\n${total.skipped} skipped: each says above what it needs.`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
