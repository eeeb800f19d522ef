import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Call } from '@tessera/contract/call'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { handlers } from '../../src/handlers/handlers.ts'
import { makeOrganization, makeUser } from '../fixtures/factories.ts'
import { type Caller, startServer, type TestServer } from '../servers/server.ts'
import { median } from '../torture/tools/product.ts'
import { inputs } from './inputs.ts'
import { makePlace, type Place } from './world.ts'
import { type WatchedRows, watchRows } from './written-rows.ts'

// Bad requests made from valid ones. `TORTURE_ROUNDS` for each call: 4 by default, always the same ones; 2300 new ones in
// `npm run torture:fuzz`, where `SEED` repeats a run. By default each call gets a third of the bodies that are wrong as a whole, the next call the
// next third: all calls share what reads a body.

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const isShort = process.env.TORTURE_ROUNDS === undefined
const runs = Number(process.env.TORTURE_ROUNDS ?? 4)
const seed = Number(process.env.SEED ?? 20_261_122)

let server: TestServer
let watched: WatchedRows
let place: Place
let admin: number
let requests = 0
/** What is in use after every eighth call, in bytes. */
const memory: number[] = []
let begun = 0

beforeAll(async () => {
  server = await startServer()
  watched = await watchRows(server.db)
  begun = performance.now()
})
// A separate place for each call, so that rows accepted by one do not slow down the next.
beforeEach(async () => {
  place = await makePlace(server, await makeOrganization(server.db))
  admin = await makeUser(server.db, place.organizationId, { admin: true, super: true })
  await watched.forget()
})
let tried = 0
afterEach(() => {
  // A collection takes a third of a second.
  if (tried++ % 8 > 0) return
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  memory.push(heapUsed + external)
})
afterAll(async () => {
  const megabytes = (part: number[]) => Math.round(median(part) / 2 ** 20)
  const third = Math.ceil(memory.length / 3)
  const [early, late] = [megabytes(memory.slice(third, 2 * third)), megabytes(memory.slice(2 * third))]
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.log(`fuzz: ${requests} bad requests in ${minutes} minutes, seed ${seed}; in use after collection ${early} → ${late} MiB`)
  await watched[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  expect(late - early, 'memory grows with bad requests').toBeLessThan(50)
})

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff x',
    '\u202Egnp.exe',
    `e${'\u0301'.repeat(1000)}`,
    '🎫'.repeat(600),
    'x'.repeat(70_000),
    'x'.repeat(300_000),
    -1,
    0,
    1.5,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    1e30,
    -1e30,
    '5',
    ' 5',
    '0x5',
    [5],
    [],
    [[]],
    {},
    { $gt: 0 },
    { toString: 1 },
    "'; drop table ticket; --",
    '%s%n%x',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    'line\r\nSet-Cookie: a=b',
    Array.from({ length: 10_001 }, (_, index) => index + 1),
    [1, 1, 1],
    [null],
    ['__proto__'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.nat(0x10ffff), { maxLength: 80 }).map(points => String.fromCodePoint(...points)),
  fc.integer(),
)

/** One way to make a valid input invalid: a member replaced, removed, added, or something inside a list or object. */
type Spoil = { kind: 'replace' | 'remove' | 'add' | 'inside'; at: number; value: unknown; key: string }
const spoil: fc.Arbitrary<Spoil> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'inside'),
  at: fc.nat(20),
  value: nasty,
  key: fc.constantFrom(
    'unknown',
    'a\u0000b',
    '\ud800',
    '__proto__',
    'constructor',
    'idOrganization',
    'organization_id',
    'idUser',
    'Super',
    '',
  ),
})

function spoiled(input: Record<string, unknown>, { kind, at, value, key }: Spoil): string {
  const members = Object.entries(input)
  const target = members.length === 0 ? -1 : at % members.length
  if (kind === 'add' || target === -1)
    return JSON.stringify(Object.fromEntries([...members, [key, value]])).replace(/^\{\}$/, `{${JSON.stringify(key)}:1}`)
  if (kind === 'remove') return JSON.stringify(Object.fromEntries(members.filter((_, index) => index !== target)))
  return JSON.stringify(
    Object.fromEntries(
      members.map(([name, old], index) => {
        if (index !== target) return [name, old]
        if (kind === 'inside' && Array.isArray(old)) return [name, [...old, value]]
        if (kind === 'inside' && typeof old === 'object' && old !== null) return [name, { ...old, [key]: value }]
        return [name, value]
      }),
    ),
  )
}

/** Bodies that are wrong as a whole. */
const bodies = [
  '',
  'null',
  '[]',
  '5',
  '"text"',
  'undefined',
  '{',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '{"idProject":1,"idProject":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"idTicket":1e400}',
  '{"idTicket":01}',
  "{'idTicket':1}",
  Buffer.from('{"idTicket":1}', 'utf16le').toString('latin1'),
  '{"Title":"\\u0000"}',
  '{"Title":"\\ud800"}',
]
const types = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/json\t;',
  'application/vnd.x+json',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  ' ',
]

const allowed = new Set([200, 400, 404, 409, 413, 415, 422, 429])
const telling = /node_modules|at \w+ \(|\bselect\b.+\bfrom\b|syntax error|pg_|\/src\//i

async function attack(call: Call, caller: Caller, payload: string | undefined, headers: Record<string, string>) {
  const { result: answer, written } = await watched.during(() =>
    server.app.inject({
      method: call.method,
      url: call.path,
      ...(call.method === 'POST' && payload !== undefined ? { payload } : {}),
      cookies: caller.cookies,
      headers: { 'content-type': 'application/json', ...caller.headers, ...headers },
    }),
  )
  requests++
  expect(allowed, `${answer.statusCode} ${answer.body.slice(0, 500)}`).toContain(answer.statusCode)
  expect(answer.headers['content-type'], answer.body.slice(0, 200)).toMatch(/application\/json/)
  expect(answer.statusCode === 200 ? '' : answer.body).not.toMatch(telling)
  if (answer.statusCode !== 200 || call.kind === 'query') expect(written, `written and answered ${answer.statusCode}`).toEqual([])
}

async function freshCaller() {
  await server.sql`/* all organizations: job */ delete from throttle`
  return server.signedIn(admin, place.organizationId)
}

const calls = Object.values(handlers).map(({ call }) => call as Call)
const fuzzed = calls.filter(({ method, path }) => method === 'POST' && !/attachment|simulate-timeout|set-up/.test(path))

test.each(fuzzed.map((call, index) => [call.path.replace(/^.*\//, '').replace(/(\.json)?\.php$/, ''), call, index] as const))(
  'bad requests to %s are refused in words',
  async (name, call, index) => {
    const caller = await freshCaller()
    const make = inputs[name]
    const isDue = (_: string, place: number) => !isShort || place % 3 === index % 3
    for (const body of bodies.filter(isDue)) await attack(call, caller, body, {})
    for (const type of types.filter(isDue)) await attack(call, caller, '{}', { 'content-type': type })
    await attack(call, caller, '{}', { 'content-encoding': 'gzip' })
    await attack(call, caller, '{}', { 'x-session-user': 'x' })
    await attack(call, caller, '{}', { 'idempotency-key': 'not a uuid' })
    await attack(call, caller, '{}', { 'x-xsrf-token': 'forged.token' })
    const signsOut =
      /authenticate|change-password|end-sessions|reset-password|remove-organization-member|set-organization-member|set-user-data-admin/.test(
        name,
      )
    await fc.assert(
      fc.asyncProperty(spoil, async how => {
        const input = make ? await make(place, server) : {}
        await attack(call, signsOut ? await freshCaller() : caller, spoiled(input, how), {})
      }),
      { numRuns: runs, seed, endOnFailure: false },
    )
  },
)
