/** `npm run torture:<name> [rounds]`: one of the long reliability tests, at full length. Prints its figures and ends with the counts. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const full: Record<string, { rounds: number; file?: string | string[] }> = {
  'crash-server': { rounds: 300 },
  'crash-bulk': { rounds: 30 },
  'crash-database': { rounds: 1000 },
  'database-away': { rounds: 50 },
  'disk-full': { rounds: 20 },
  concurrency: { rounds: 200 },
  'slow-clients': { rounds: 1000 },
  sessions: { rounds: 20 },
  rights: { rounds: 100, file: 'server/test/access/rights-races.test.ts' },
  upgrade: { rounds: 40 },
  backups: { rounds: 30 },
  citus: { rounds: 1, file: 'server/test/torture/citus/life.test.ts' },
  'citus-crash': { rounds: 20, file: 'server/test/torture/citus/crash.test.ts' },
  'citus-cost': { rounds: 200, file: 'server/test/torture/citus/cost.test.ts' },
  mails: { rounds: 10_000, file: 'server/src/mail/mailer.test.ts' },
  'sign-in': { rounds: 50, file: 'server/src/features/session/guesses.test.ts' },
  'reset-codes': { rounds: 20, file: 'server/src/features/password-reset/password-reset.test.ts' },
  races: {
    rounds: 200,
    file: [
      ...['fields', 'members', 'permissions', 'roles', 'states', 'templates'].map(noun => `server/src/features/project-config/${noun}/`),
      'server/src/features/tickets/saving/concurrency.test.ts',
      'server/src/features/tickets/moving/move-ticket.test.ts',
    ],
  },
  board: { rounds: 500, file: 'server/src/features/board/board.test.ts' },
  'bulk-changes': { rounds: 1000, file: 'server/src/features/tickets/bulk/reverting/identity.test.ts' },
  soak: { rounds: 24 * 60 },
  counters: { rounds: 10_000, file: 'server/src/features/tickets/saving/torture.test.ts' },
  uploads: { rounds: 1, file: 'server/src/features/tickets/attachments/attachments.test.ts' },
  search: {
    rounds: 100_000,
    file: ['server/src/features/search/conditions/names.test.ts', 'server/test/golden/golden.test.ts'],
  },
  fuzz: { rounds: 2300, file: 'server/test/access/fuzz.test.ts' },
}

const [name = '', given] = process.argv.slice(2)
const chosen = full[name]
if (!chosen) {
  console.error(`Give one of: ${Object.keys(full).join(', ')}`)
  process.exit(2)
}
const { rounds, file = `server/test/torture/${name}.test.ts` } = chosen
// Random input each time; the test suite always uses the same. A given seed repeats a run.
const seed = String(Date.now() % 1_000_000)
const root = path.dirname(import.meta.dirname)
const folder = mkdtempSync(path.join(tmpdir(), 'tessera-torture-'))
const report = path.join(folder, 'report.json')
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const child = spawn(process.execPath, [vitest, 'run', '--project', 'server', '--testTimeout=93600000', ...reporters, ...[file].flat()], {
  cwd: root,
  stdio: 'inherit',
  env: { SEED: seed, ...process.env, TORTURE_ROUNDS: given ?? String(rounds) },
})
child.on('close', code => {
  let [passed, failed] = [0, 1]
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    ;[passed, failed] = [numPassedTests, code === 0 ? numFailedTests : Math.max(1, numFailedTests)]
  } catch {}
  rmSync(folder, { recursive: true, force: true })
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
})
