import type { Call } from '@tessera/contract/call'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marker } from '../../src/db/guard/across-organizations.ts'
import { handlers } from '../../src/handlers/handlers.ts'
import type { Caller, TestServer } from '../servers/server.ts'
import { startServer } from '../servers/server.ts'
import matrix from './access-matrix.json' with { type: 'json' }
import { withId } from './case-input.ts'
import { inputs } from './inputs.ts'
import { makeWorld, type Place, textColumns, type World } from './world.ts'
import { type WatchedRows, watchRows } from './written-rows.ts'

/** Fits everywhere, in a key and a short code too. */
const canary = 'CANARY4711'
const neverExisted = 987_654_321

let server: TestServer
let world: World
let watched: WatchedRows
let probes = 0

beforeAll(async () => {
  server = await startServer()
  world = await makeWorld(server, canary)
  watched = await watchRows(server.db)
})
afterAll(async () => {
  console.log(`isolation: ${probes} probes, 0 leaks, 0 changes`)
  await watched[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The id of each kind in a place. */
function idIn(place: Place, kind: string): number {
  const ids: Record<string, number> = {
    org: place.organizationId,
    organization: place.organizationId,
    project: place.project.projectId,
    ticket: place.ticketId,
    user: place.userId,
    member: place.memberId,
    role: place.project.roles.reviewer,
    state: place.project.states.doing,
    template: place.project.templates.task,
    field: place.project.fields.size,
    label: place.labelId,
    link: place.linkId,
    view: place.viewId,
    search: place.searchId,
    feed: place.feedId,
    preview: place.previewId,
    'change-set': place.changeSetId,
    comment: place.commentId,
    attachment: place.attachmentId,
  }
  return ids[kind] ?? neverExisted
}

const byName = new Map(
  Object.values(handlers).map(({ call }) => [call.path.replace(/^.*\//, '').replace(/(\.json)?\.php$/, ''), call as Call]),
)
const rows = matrix.calls
  .map(({ call, ids }) => ({
    name: call.replace(/^(GET|POST) (public\/)?/, ''),
    ids: ids.filter(id => !/:session$|^data\{key\}/.test(id)),
  }))
  .filter(({ name, ids }) => ids.length > 0 && byName.has(name) && inputs[name] && name !== 'authenticate')

/** Without what differs between any two answers. */
function comparable({ status, body }: { status: number; body: unknown }) {
  const { requestId: _, ...rest } = (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : { body }) as Record<
    string,
    unknown
  >
  return JSON.stringify({ status, rest })
}

test('every text column of the attacked organization has the canary', async () => {
  const bare: string[] = []
  for (const { table, column, name, ours } of await textColumns(server, world.home.organizationId)) {
    const { rows } = await sql
      .raw(`${marker('operator')} select 1 from ${table} where ${ours} and ${column} like '%${canary}%' limit 1`)
      .execute(server.db)
    if (rows.length === 0) bare.push(name)
  }
  expect(bare).toEqual([])
})

/**
 * Each attacker has everything valid in their own place and swaps one id: for one of the victim's, then for one that never existed.
 * Both answers must be the same, byte for byte, and the victim's rows stay.
 */
test.each(rows.map(row => [row.name, row.ids] as const))('foreign ids of %s reveal nothing', async (name, ids) => {
  const call = byName.get(name) as Call
  const attackers: [string, Caller | null, Place][] = [
    ['member of other org', world.callers['member of other org'], world.away],
    ['admin of other org', world.callers['admin of other org'], world.away],
    ['manager of other org', world.callers['manager of other org'], world.away],
    ['same person in another org', world.callers['same person signed in to another org'], world.away],
    ['super in another org', world.callers['super signed in to another org'], world.away],
    ['member of another project, same org', world.callers['org member outside the project'], world.neighbor],
  ]
  for (const [attacker, caller, place] of attackers) {
    for (const parameter of ids) {
      const kind = parameter.split(':')[1] ?? ''
      // A super user may look at any organization; people, organizations and shared searches are the same for two projects of one.
      if (kind === 'organization' && attacker.startsWith('super')) continue
      if (attacker.startsWith('member of another project') && ['user', 'organization', 'search'].includes(kind)) continue
      const own = await inputs[name]?.(place, server)
      const input = withId(own ?? {}, parameter, idIn(world.home, kind))
      const { result: foreign, written } = await watched.during(() => server.as(caller, call, input))
      const absent = await server.as(caller, call, withId((await inputs[name]?.(place, server)) ?? {}, parameter, neverExisted))
      const where = `${attacker}, ${parameter}`
      const ofVictim = written.filter(({ organization }) => organization === null || organization === world.home.organizationId)
      expect(foreign.status === 200 ? ofVictim : written, `${where}: rows written`).toEqual([])
      expect(JSON.stringify(foreign.body), `${where}: canary`).not.toContain(canary)
      expect(comparable(foreign), where).toBe(comparable(absent))
      probes += 2
    }
  }
})
