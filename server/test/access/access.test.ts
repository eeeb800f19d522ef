import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Call } from '@tessera/contract/call'
import { permissionTypes } from '@tessera/contract/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlers } from '../../src/handlers/handlers.ts'
import { permissionMask } from '../../src/lib/authorize.ts'
import { type Caller, startServer, type TestServer } from '../servers/server.ts'
import matrix from './access-matrix.json' with { type: 'json' }
import { caseInput } from './case-input.ts'
import { inputs } from './inputs.ts'
import { type Actor, actors, makeWorld, type World } from './world.ts'
import { type WatchedRows, watchRows } from './written-rows.ts'

// The statuses are those of the matrix, written by hand beside its words; nothing is taken from the contract.

/** A call, or a call on something particular (`case`), with a status for each of `actors`; `testedIn` names the test of one that no JSON body reaches. */
interface Row {
  call: string
  n?: number
  case?: string
  permission?: number
  status?: number[]
  testedIn?: string
}
const rows: Row[] = matrix.calls
const cases: Row[] = matrix.cases
const calls = new Map(Object.values(handlers).map(({ call }) => [`${call.method} ${addressOf(call)}`, call as Call]))

/** `/api/1/private/get-ticket-list.json.php` → `get-ticket-list`, `/api/1/public/set-up.json.php` → `public/set-up` */
function addressOf({ path }: Call) {
  return path.replace(/^\/api\/1\/(private\/)?/, '').replace(/(\.json)?\.php$/, '')
}
function nameOf({ call }: Row) {
  return call.replace(/^(GET|POST) (public\/)?/, '')
}

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
  await watched[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('every call has one row in the matrix with a status for each actor, and every row a call', () => {
  expect(matrix.actors).toEqual(actors)
  expect(rows.map(({ call }) => call).sort(), 'the rows of access-matrix.json, and the calls').toEqual([...calls.keys()].sort())
  for (const row of [...rows, ...cases]) {
    if (row.testedIn === undefined) expect([row.call, row.status?.length]).toEqual([row.call, actors.length])
    else
      expect([row.call, row.status, existsSync(path.join(import.meta.dirname, '../../..', row.testedIn))]).toEqual([
        row.call,
        undefined,
        true,
      ])
  }
})

const withoutSession = new Set<Actor>(['anonymous', 'timed-out session', 'revoked session', 'disabled user'])
const answered = [...rows.filter(({ status }) => status), ...cases].map(row => ({
  row,
  call: calls.get(row.call) as Call,
  title: row.case === undefined ? nameOf(row) : `${nameOf(row)}: ${row.case}`,
  // The first 45 rows are the calls of the specification's section 7, in its order.
  shown: row.n !== undefined && row.n <= 45 ? `[7.${row.n}]` : '',
}))
const inputOf = (row: Row, asker: Caller | null) =>
  row.case === undefined ? inputs[nameOf(row)]?.(world.home, server, asker?.idUser) : caseInput(row.case, world.home, server)

test.each(answered)('access of $title $shown', async ({ row, call }) => {
  const name = nameOf(row)
  for (const [index, actor] of actors.entries()) {
    // Those whose session a call ends get a new one.
    if (name === 'simulate-timeout' && !withoutSession.has(actor)) continue
    if (name === 'logout' && actor !== 'anonymous') continue
    const input = await inputOf(row, world.callers[actor])
    expect(input, `a valid input of ${name} in inputs.ts`).toBeDefined()
    const wanted = row.status?.[index] as number
    const { result: answer, written } = await watched.during(() => server.as(world.callers[actor], call, input))
    expect({ actor, status: answer.status, body: answer.status === wanted ? undefined : answer.body }).toEqual({
      actor,
      status: wanted,
      body: undefined,
    })
    if (wanted === 403) expect(answer.body).toEqual({ auth: 0 })
    if (wanted === 422 && call.access !== 'public')
      expect(answer.body).toMatchObject({ Success: 0, code: 'not_permitted', needs: expect.any(String) })
    if (wanted >= 400 || call.kind === 'query') expect(written, `${actor}: rows written and answered ${wanted}`).toEqual([])
    cells++
  }
})

const withPermission = answered.filter(({ row }) => row.permission !== undefined && row.permission !== 1)

test.each(withPermission)('$title needs its permission and no other', async ({ row, call }) => {
  const isGranting = nameOf(row) === 'set-user-permission'
  const everyId = permissionTypes.map(({ id }) => id as number)
  for (const { id } of permissionTypes) {
    const only = await world.withPermissions([1, id])
    const allBut = await world.withPermissions(everyId.filter(other => other !== id || other === 1))
    // Escalation: a holder of 11 alone may not grant 2.
    const extra = isGranting && id !== 1 ? await world.withPermissions([1, 11, 2]) : null
    const withOnly = await server.as(only, call, await inputOf(row, only))
    const grants = id === row.permission && !isGranting
    expect({ only: id, status: withOnly.status }).toEqual({ only: id, status: grants ? 200 : 422 })
    const without = await server.as(allBut, call, await inputOf(row, allBut))
    const refused = id === row.permission || (isGranting && id === 2)
    expect({ allBut: id, status: without.status }).toEqual({ allBut: id, status: refused && id !== 1 ? 422 : 200 })
    if (extra) expect((await server.as(extra, call, await inputOf(row, extra))).status).toBe(200)
    cells += 2
  }
})

test('those who were made with some permissions hold exactly these to the end', async () => {
  const { organizationId, project } = world.home
  for (const [permissions, { idUser }] of world.holders) {
    const rows = await server.sql<{ permissions: number }>`
      select permissions from project_member
      where organization_id = ${organizationId} and project_id = ${project.projectId} and user_id = ${idUser}`
    expect([permissions, rows]).toEqual([permissions, [{ permissions: permissionMask(permissions.split(',').map(Number)) }]])
  }
})
