/**
 * Fails if a call has no handler or its handler is not in the file of the call's name, if a file's name says nothing about its content, if a
 * row type is written by hand, if a stylesheet has pixels, if a decision is missing from the index of decisions, if a folder has more than
 * twelve files, or a file more than 300 lines.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const contract = readdirSync('contract/src', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(path.join('contract/src', file), 'utf8'))
const exported = [...contract.join('\n').matchAll(/export const (\w+) = (?:query|mutation)</g)].map(match => match[1] ?? '')
const fileOf = (call: string) => call.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
const calls = new Set(exported.map(fileOf))
const answered = new Set<string>()
const misnamed: string[] = []

for (const file of readdirSync('server/src/features', { recursive: true, withFileTypes: true })) {
  if (!file.isFile()) continue
  const place = path.join(file.parentPath, file.name)
  const name = file.name.replace(/(\.test)?\.ts$/, '')
  if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(name)) misnamed.push(`${place}: is not a name such as set-ticket-data.ts`)
  if (file.name.endsWith('.test.ts')) continue
  const handled = [...readFileSync(place, 'utf8').matchAll(/\bimplement(?:With)?\(\s*contract\.(\w+)/g)].map(match =>
    fileOf(match[1] ?? ''),
  )
  for (const call of handled) answered.add(call)
  for (const call of handled.filter(call => call !== name)) misnamed.push(`${place}: has the handler of ${call}: move it to ${call}.ts`)
  if (calls.has(name) && !handled.includes(name)) misnamed.push(`${place}: has a call's name, but not its handler`)
}
const missing = [...calls].filter(name => !answered.has(name))
// The tests compare a declared shape with PostgreSQL's answer; nothing compares the type argument of a template (docs/decisions/049).
const handTyped = readdirSync('server/src', { recursive: true, withFileTypes: true })
  .filter(file => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
  .map(file => path.join(file.parentPath, file.name))
  .filter(file => file !== 'server/src/db/db.ts' && readFileSync(file, 'utf8').includes('sql<'))
for (const file of handTyped) console.error(`${file}: has an sql<Row> template: use queryRows with a shape`)
for (const message of misnamed) console.error(message)
for (const name of missing) console.error(`${name}: a call without a handler: write server/src/features/<noun>/${name}.ts`)
const index = readFileSync('docs/decisions/README.md', 'utf8')
const unlisted = readdirSync('docs/decisions').filter(file => file !== 'README.md' && !index.includes(`(${file})`))
for (const file of unlisted) console.error(`docs/decisions/${file}: not listed in docs/decisions/README.md`)

/** Generated, or one file after the other. */
const unlimited = /^server.src.db.(tables\.ts$|migrations)/
const code = ['contract/src', 'server/src', 'server/test', 'web/src', 'web/test', 'e2e', 'bench/src', 'scripts']
  .flatMap(folder => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter(file => file.isFile() && /\.(tsx?|css)$/.test(file.name) && !file.parentPath.includes('node_modules'))
  .map(file => path.join(file.parentPath, file.name))
  .filter(file => !unlimited.test(file))
const vague = code.filter(file => /^(rules|helpers?|utils?|common|misc)\./.test(path.basename(file)))
for (const file of vague) console.error(`${file}: any content fits this name: name the file after what it holds (docs/decisions/109)`)
const inPixels = code.filter(file => file.endsWith('.css') && /\dpx/.test(readFileSync(file, 'utf8').replaceAll(/\b1px|\/\*.*?\*\//gs, '')))
for (const file of inPixels) console.error(`${file}: has pixels other than 1px: write rem, a sixteenth of them (docs/decisions/111)`)
const crowded = [...Map.groupBy(code, file => path.dirname(file))].filter(([, files]) => files.length > 12)
for (const [folder, files] of crowded) console.error(`${folder}: ${files.length} files: group them in folders, twelve in one at most`)
const long = code.filter(file => readFileSync(file, 'utf8').split('\n').length > 301)
for (const file of long) console.error(`${file}: more than 300 lines: move what belongs together to a file of its own`)
if ([misnamed, missing, handTyped, unlisted, vague, inPixels, crowded, long].some(found => found.length > 0)) process.exit(1)
console.log(`${calls.size} calls, each in the file of its name`)
