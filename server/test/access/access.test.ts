import type { Call } from '@tessera/contract/call'
import { type PermissionId, permissionTypes } from '@tessera/contract/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlers } from '../../src/handlers.ts'
import { startServer, type TestServer } from '../server.ts'
import matrix from './access-matrix.json' with { type: 'json' }
import { inputs } from './inputs.ts'
import { type Actor, actors, makeWorld, type World } from './world.ts'
import { type WatchedRows, watchRows } from './written-rows.ts'

const calls = Object.values(handlers).map(({ call }) => call as Call)
/** Answered outside the matrix test: multipart, streams, the first run. They have tests of their own. */
const elsewhere = new Set([
  'attachment-upload',
  'events',
  'set-up',
  'reset-password',
  'reset-password-activate',
  'unsubscribe',
  'confirm-email',
])

let server: TestServer
let world: World
let watched: WatchedRows
let cells = 0

beforeAll(async () => {
  server = await startServer()
  world = await makeWorld(server)
  watched = await watchRows(server.db)
})
afterAll(async () => {
  console.log(`access: ${cells} cells as written`)
  await server[Symbol.asyncDispose]()
})

/** `/api/1/private/get-ticket-list.json.php` → `get-ticket-list` */
function nameOf({ path }: Call) {
  return path.replace(/^.*\//, '').replace(/(\.json)?\.php$/, '')
}

const withoutSession = new Set<Actor>(['anonymous', 'timed-out session', 'revoked session', 'disabled user'])
const everyPermission = new Set<Actor>(['project member with every permission', 'org admin', 'super in this org'])
const sees = new Set<Actor>([...everyPermission, 'project member View only', 'project member all but 11 (Manage permissions)'])
const supers = new Set<Actor>(['super in this org', 'super signed in to another org'])
const admins = new Set<Actor>([...supers, 'org admin', 'admin of other org'])
const managers = new Set<Actor>(['org manager', 'manager of other org'])
const elsewhereSignedIn = new Set<Actor>(['admin of other org', 'manager of other org', 'super signed in to another org'])

/** What the matrix says, as a status. */
function expected(call: Call, actor: Actor): number {
  const name = nameOf(call)
  if (call.access === 'public') return 200
  if (withoutSession.has(actor)) return 403
  if (name === 'simulate-timeout') return 403
  // The input names a session that nobody has.
  if (name === 'end-sessions') return 404
  if (name === 'attachment-download') return sees.has(actor) ? 200 : 404
  if (call.access === 'session') {
    if (call.rank === 'super') return supers.has(actor) ? 200 : 422
    if (call.rank === 'admin' && !admins.has(actor)) return 422
    if (call.rank === 'manager' && !admins.has(actor) && !managers.has(actor)) return 422
    // Their own organization is another: ids of this one do not exist there.
    const carriesIds = ['create-user', 'get-user-edit-data', 'set-user-data-admin'].includes(name)
    return carriesIds && elsewhereSignedIn.has(actor) ? 404 : 200
  }
  if (call.access === 'organization') {
    if (supers.has(actor) || actor === 'org admin') return 200
    if (actor === 'org manager') return call.kind === 'query' ? 200 : 422
    return 404
  }
  if (!sees.has(actor)) return 404
  const permission = name === 'set-ticket-data' ? 3 : call.permission
  if (permission === undefined || everyPermission.has(actor)) return 200
  return actor === 'project member View only' || permission === 11 ? 422 : 200
}

test('every call has a row in the matrix, an input here, and every row a call', () => {
  const rows = new Set(matrix.calls.map(({ call }) => call.replace(/^(GET|POST) (public\/)?/, '')))
  const names = calls.map(nameOf).filter(name => !elsewhere.has(name))
  expect(names.filter(name => !rows.has(name))).toEqual([])
  expect(names.filter(name => !inputs[name])).toEqual([])
})

/** The first 45 rows are the calls of the specification's section 7, in its order. */
function sentence(name: string) {
  const row = matrix.calls.find(({ call }) => call.replace(/^(GET|POST) (public\/)?/, '') === name)
  return row && row.n <= 45 ? `[7.${row.n}]` : ''
}

const answered = calls
  .filter(call => !elsewhere.has(nameOf(call)))
  .map(call => ({ name: nameOf(call), call, shown: sentence(nameOf(call)) }))

test.each(answered)('access of $name $shown', async ({ name, call }) => {
  for (const actor of actors) {
    // Those whose session a call ends get a new one.
    if (name === 'simulate-timeout' && !withoutSession.has(actor)) continue
    if (name === 'logout' && actor !== 'anonymous') continue
    const input = await inputs[name]?.(world.home, server)
    const wanted = expected(call, actor)
    const { result: answer, written } = await watched.during(() => server.as(world.callers[actor], call, input))
    expect({ actor, status: answer.status, body: answer.status === wanted ? undefined : answer.body }).toEqual({
      actor,
      status: wanted,
      body: undefined,
    })
    if (wanted === 403) expect(answer.body).toEqual({ auth: 0 })
    if (wanted === 422) expect(answer.body).toMatchObject({ Success: 0, code: 'not_permitted', needs: expect.any(String) })
    if (wanted >= 400 || call.kind === 'query') expect(written, `${actor}: rows written and answered ${wanted}`).toEqual([])
    cells++
  }
})

const projectCalls = calls.filter(
  call => (call.permission !== undefined || nameOf(call) === 'set-ticket-data') && !elsewhere.has(nameOf(call)),
)

test.each(projectCalls.map(call => [nameOf(call), call] as const))('%s needs its permission and no other', async (name, call) => {
  const needed = (name === 'set-ticket-data' ? 3 : call.permission) as PermissionId
  const everyId = permissionTypes.map(({ id }) => id as number)
  for (const { id } of permissionTypes) {
    const only = await world.withPermissions([1, id])
    const allBut = await world.withPermissions(everyId.filter(other => other !== id || other === 1))
    // Escalation: a holder of 11 alone may not grant 2.
    const extra = name === 'set-user-permission' && id !== 1 ? await world.withPermissions([1, 11, 2]) : null
    const withOnly = await server.as(only, call, await inputs[name]?.(world.home, server))
    const grants = id === needed && name !== 'set-user-permission'
    expect({ only: id, status: withOnly.status }).toEqual({ only: id, status: grants ? 200 : 422 })
    const without = await server.as(allBut, call, await inputs[name]?.(world.home, server))
    const refused = id === needed || (name === 'set-user-permission' && id === 2)
    expect({ allBut: id, status: without.status }).toEqual({ allBut: id, status: refused && id !== 1 ? 422 : 200 })
    if (extra) expect((await server.as(extra, call, await inputs[name]?.(world.home, server))).status).toBe(200)
    cells += 2
  }
})
