/**
 * Fails if a server feature has a file that is neither a call of the contract, queries.ts, rules.ts, jobs.ts, counters.ts nor a test, if a call has
 * no file, if a row type is written by hand, or if a decision is missing from the index of decisions.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const contract = readdirSync('contract/src')
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(path.join('contract/src', file), 'utf8'))
const exported = [...contract.join('\n').matchAll(/export const (\w+) = (?:query|mutation)</g)].map(match => match[1] ?? '')
const calls = new Set(exported.map(name => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)))
const answered = new Set<string>()
const strays: string[] = []

for (const file of readdirSync('server/src/features', { recursive: true, withFileTypes: true })) {
  if (!file.isFile()) continue
  const name = file.name.replace(/\.ts$/, '')
  if (calls.has(name)) answered.add(name)
  else if (!/^(queries|rules|jobs|counters)$|\.test$/.test(name)) strays.push(path.join(file.parentPath, file.name))
}
const missing = [...calls].filter(name => !answered.has(name))
// The tests compare a declared shape with PostgreSQL's answer; nothing compares the type argument of a template (docs/decisions/049).
const handTyped = readdirSync('server/src', { recursive: true, withFileTypes: true })
  .filter(file => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
  .map(file => path.join(file.parentPath, file.name))
  .filter(file => file !== 'server/src/db/db.ts' && readFileSync(file, 'utf8').includes('sql<'))
for (const file of handTyped) console.error(`${file}: has an sql<Row> template: use queryRows with a shape`)
for (const stray of strays) console.error(`${stray}: not a call of the contract, queries.ts, rules.ts, jobs.ts, counters.ts or a test`)
for (const name of missing) console.error(`${name}: a call without a file of its name`)
const index = readFileSync('docs/decisions/README.md', 'utf8')
const unlisted = readdirSync('docs/decisions').filter(file => file !== 'README.md' && !index.includes(`(${file})`))
for (const file of unlisted) console.error(`docs/decisions/${file}: not listed in docs/decisions/README.md`)
if (strays.length + missing.length + handTyped.length + unlisted.length > 0) process.exit(1)
console.log(`${calls.size} calls, each in the file of its name`)
