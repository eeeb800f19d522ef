import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject } from '../../../test/fixtures/factories.ts'
import { executeUnlimited, startServer, type TestServer } from '../../../test/servers/server.ts'
import { connect, poolOf } from '../../db/connections/connect.ts'
import { onRun } from '../../db/db.ts'
import { startTasks } from '../../tasks.ts'
import { mergePendingLists } from './jobs.ts'

/** Makes as many tickets in one statement, with words that no other has. */
async function makeTickets(server: TestServer, count: number) {
  const { db } = server
  const organizationId = await makeOrganization(db)
  const { projectId, templates, states } = await makeProject(db, organizationId)
  await executeUnlimited(
    server,
    sql`
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organizationId}, ${projectId}, ${templates.bug}, ${states.open}, 'Replace part ' || md5(n::text) from generate_series(1, ${count}) n`,
  )
}

test('the server’s background tasks enter saved words into the index, not the save itself', async () => {
  await using server = await startServer()
  await mergePendingLists(server.system)
  // More than 1 MB of pending entries. None of them has been entered by the statement that made them.
  await makeTickets(server, 2500)
  expect(await mergePendingLists(server.system)).toBeGreaterThan(200)
  expect(await mergePendingLists(server.system)).toBe(0)
})

test('the background tasks enter words repeatedly, in one process at a time', async () => {
  await using server = await startServer()
  await mergePendingLists(server.system)
  await makeTickets(server, 10)
  const { host, port, user, database } = poolOf(server.db).options
  const other = connect({ host, port, user, database }, { poolSize: 1 })
  await other.transaction().execute(async transaction => {
    await sql`select pg_advisory_xact_lock(hashtextextended('pending words', 0))`.execute(transaction)
    expect(await mergePendingLists(server.system)).toBe(0)
  })
  await other.destroy()

  let entered = 0
  const twice = Promise.withResolvers<void>()
  onRun(({ text }) => {
    if (text.includes('gin_clean_pending_list') && ++entered === 2) twice.resolve()
  })
  const failures: unknown[] = []
  const tasks = await startTasks(server.system, error => failures.push(error))
  await twice.promise
  await tasks.stop()
  expect(await mergePendingLists(server.system)).toBe(0)
  expect(failures).toEqual([])
})
