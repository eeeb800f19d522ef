import type { Call } from '@tessera/contract/call'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { handlers } from '../../src/handlers/handlers.ts'
import { inputs } from '../access/inputs.ts'
import { makeWorld } from '../access/world.ts'
import { makeMember, makeUser } from '../fixtures/factories.ts'
import { lockWaits } from '../postgres/lock-waits.ts'
import { startServer } from '../servers/server.ts'

/** Calls that are not refused, and why that is right: see decision 104. */
const written: Record<string, string> = {
  'set-ticket-data': 'could have come a moment earlier, unless somebody has saved the ticket meanwhile; wrote nothing before its wait',
}

const mutations = Object.values(handlers)
  .map(({ call }) => call as Call)
  .filter(({ kind, access, name }) => kind === 'mutation' && access !== 'public' && access !== 'session' && inputs[name])

test.each([
  ['a lock of any kind', lockEverything],
  ['its ticket', lockTickets],
])('a call that waited for %s while its caller was removed from the project is refused', async (_, lock) => {
  await using server = await startServer()
  const { home } = await makeWorld(server)
  const { organizationId, project } = home
  const waited: string[] = []
  const late: string[] = []
  for (const call of mutations) {
    const idUser = await makeUser(server.db, organizationId)
    await makeMember(server.db, organizationId, project.projectId, idUser, 'all')
    const caller = await server.signedIn(idUser, organizationId)
    const input = await inputs[call.name]?.(home, server, idUser)
    const { answer } = await server.db.transaction().execute(async transaction => {
      await lock(transaction, organizationId, project.projectId)
      const answer = server.as(caller, call, input as never)
      if (await isWaiting(server.db, answer)) waited.push(call.name)
      await sql`
        delete from project_member
        where organization_id = ${organizationId} and project_id = ${project.projectId} and user_id = ${idUser}`.execute(transaction)
      return { answer }
    })
    if ((await answer).status === 200 && waited.includes(call.name)) late.push(call.name)
  }
  const expected = lock === lockEverything ? Object.keys(written) : Object.keys(written).filter(name => waited.includes(name))
  expect(late.sort()).toEqual(expected.sort())
  expect(waited.length).toBeGreaterThanOrEqual(lock === lockEverything ? mutations.length - 4 : 12)
})

/** What a save of them holds. */
async function lockTickets(transaction: Db, organizationId: number) {
  await sql`select 1 from ticket where organization_id = ${organizationId} for no key update`.execute(transaction)
}

/** Takes every lock that a call on the project may wait for: rows are still read, and nobody changes them. */
async function lockEverything(transaction: Db, organizationId: number, projectId: number) {
  for (const [subject, names] of [
    [organizationId, ['links', 'labels', 'rights']],
    [projectId, ['tickets', 'views', 'calendar feeds', 'board', 'project configuration']],
  ] as const)
    for (const name of names) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${subject}::bigint))`.execute(transaction)
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('session', 'organization_member', 'project_member')`.execute(transaction)
  for (const { name } of tables)
    await sql`select 1 from ${sql.table(name)} where organization_id = ${organizationId} for update`.execute(transaction)
}

/** True as soon as the call waits for a lock, false if it is answered without. */
async function isWaiting(db: Db, answer: Promise<unknown>) {
  let isAnswered = false
  void answer.finally(() => (isAnswered = true))
  let waits = false
  await expect
    .poll(async () => {
      waits = (await lockWaits(db)) > 0
      return waits || isAnswered
    })
    .toBe(true)
  return waits
}
