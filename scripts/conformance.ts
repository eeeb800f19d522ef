/**
 * Writes docs/conformance.md from the tests that passed: `node scripts/conformance.ts vitest.json playwright.json`.
 * A test covers the sentences whose numbers are in its title, as in `signs in [1.1] [8.4]`, unless it is tagged as long: each sentence is
 * shown with every `npm test`. Ends with 1 when a sentence has no passing test.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface Outcome {
  title: string
  passed: boolean
}
interface VitestReport {
  testResults: { assertionResults: { fullName: string; status: string; tags: string[] }[] }[]
}
interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; ok: boolean; tags: string[]; tests: { status: string }[] }[]
}

function outcomesOf(file: string): Outcome[] {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<VitestReport> & { suites?: PlaywrightSuite[] }
  if (report.testResults) {
    return report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status, tags }) => ({ title: fullName, passed: status === 'passed' && !tags.includes('long') })),
    )
  }
  return (report.suites ?? []).flatMap(specsOf)
}

function specsOf({ suites = [], specs = [] }: PlaywrightSuite): Outcome[] {
  const own = specs.map(({ title, ok, tags, tests }) => ({
    title,
    passed: ok && !tags.includes('long') && tests.some(({ status }) => status === 'expected'),
  }))
  return [...own, ...suites.flatMap(specsOf)]
}

const requirements = new URL('../e2e/conformance/requirements.md', import.meta.url)
const page = new URL('../docs/conformance.md', import.meta.url)
const outcomes = process.argv.slice(2).flatMap(outcomesOf)
const lines: string[] = []
let shown = 0
const open: string[] = []
const known = new Set<string>()

for (const line of readFileSync(requirements, 'utf8').split('\n')) {
  const [, number, sentence] = /^(\d+\.\d+) (.+)$/.exec(line) ?? []
  if (line.startsWith('## ')) lines.push('', line, '', '| | Sentence | Shown by |', '|---|---|---|')
  if (!number || !sentence) continue
  known.add(number)
  const titles = outcomes
    .filter(({ title, passed }) => passed && title.includes(`[${number}]`))
    .map(({ title }) => title.replaceAll(/ ?\[\d+\.\d+\]/g, '').replaceAll('|', '\\|'))
    .sort()
  if (titles.length > 0) shown++
  else open.push(`${number} ${sentence}`)
  lines.push(`| ${number} | ${sentence.replaceAll('|', '\\|')} | ${[...new Set(titles)].slice(0, 3).join(' · ') || '**nothing yet**'} |`)
}
const head = [
  '# Conformance',
  '',
  `Written by the test run: ${shown} of ${shown + open.length} sentences of the specification are shown by a passing test. The sentences are in \`e2e/conformance/requirements.md\`.`,
]
writeFileSync(page, `${[...head, ...lines].join('\n')}\n`)
if (open.length > 0) {
  console.error(`${open.length} sentences are not shown by a passing test:\n${open.join('\n')}`)
  process.exit(1)
}
const strays = outcomes.flatMap(({ title }) => [...title.matchAll(/\[(\d+\.\d+)\]/g)].filter(([, number = '']) => !known.has(number)))
if (strays.length > 0) {
  console.error(`No such sentence: ${strays.map(([number]) => number).join(' ')}`)
  process.exit(1)
}
console.log(`All ${shown} sentences are shown by a passing test.`)
