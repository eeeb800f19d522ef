import { getTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { marker } from '../../src/db/guard/across-organizations.ts'
import { addJob } from '../../src/lib/background/job-queue.ts'
import { makeUser } from '../fixtures/factories.ts'
import { startServer } from '../servers/server.ts'
import { makeWorld, type Place } from './world.ts'
import { watchRows } from './written-rows.ts'

test('a row that a refused request left behind is noted, whatever wrote it', async () => {
  await using server = await startServer()
  let place: Place | undefined
  server.app.addHook('onSend', async () => {
    if (!place) return
    await server.sql`update ticket set title = 'Written by a refusal' where organization_id = ${place?.organizationId} and id = ${place?.ticketId}`
  })
  const world = await makeWorld(server)
  const { organizationId, ticketId } = world.home
  await using watched = await watchRows(server.db)
  const outsider = world.callers['org member outside the project']
  const refused = async () => {
    const { result, written } = await watched.during(() => server.as(outsider, getTicketData, { idTicket: ticketId }))
    expect(result.status).toBe(404)
    return written
  }
  expect(await refused()).toEqual([])
  place = world.home
  const written = await refused()
  expect(written).toContainEqual(expect.objectContaining({ table: 'ticket', operation: 'UPDATE', organization: organizationId }))
  expect(new Set(written.map(({ table }) => table))).toEqual(new Set(['ticket', 'ticket_search', 'search_word']))
})

test('rows are noted however they are written, and forgotten with a transaction that is rolled back', async () => {
  await using server = await startServer()
  const { db } = server
  const world = await makeWorld(server)
  const { organizationId, ticketId, commentId } = world.home
  await using watched = await watchRows(db)
  const written = async (...statements: string[]) => {
    const run = async () => {
      for (const text of statements) await sql.raw(`${marker('operator')} ${text}`).execute(db)
    }
    return (await watched.during(run)).written.map(({ table, operation }) => `${operation} ${table}`)
  }
  const ticket = `organization_id = ${organizationId} and id = ${ticketId}`
  expect(
    await written(
      `insert into role (organization_id, project_id, name, position) values (${organizationId}, ${world.home.project.projectId}, 'New', 9)`,
    ),
  ).toEqual(['INSERT role'])
  expect(await written(`update ticket set title = title || '!' where ${ticket}`)).toEqual(['UPDATE ticket_search', 'UPDATE ticket'])
  expect(await written(`update ticket set title = title where ${ticket}`)).toEqual([])
  // A cascade has no order.
  expect((await written(`delete from comment where organization_id = ${organizationId} and id = ${commentId}`)).sort()).toEqual([
    'DELETE comment',
    'DELETE comment_reaction',
    'DELETE comment_version',
  ])
  expect(
    await written(
      `with gone as (delete from assignment where organization_id = ${organizationId} and ticket_id = ${ticketId} returning 1) select count(*) from gone`,
    ),
  ).toEqual(['DELETE assignment'])
  // Each shard of a cluster records it.
  expect(new Set(await written('truncate ticket_notice'))).toEqual(new Set(['TRUNCATE ticket_notice']))
  expect(await written(`update organization set title = 'Other' where id = ${organizationId}`)).toEqual(['UPDATE organization'])
  expect(await written(`update session set last_seen_at = now() - interval '2 hours' where organization_id = ${organizationId}`)).toEqual(
    [],
  )
  expect(await written(`update session set device = 'x' where user_id = ${world.callers['org admin']?.idUser}`)).toEqual(['UPDATE session'])
  const job = await watched.during(() => addJob(db, 'remove-files', { keys: [] }))
  expect(job.written).toMatchObject([{ table: '_private_jobs', operation: 'INSERT', organization: null }])

  const rolledBack = await watched.during(() =>
    db
      .transaction()
      .execute(async transaction => {
        await makeUser(transaction, organizationId)
        throw new Error('refused')
      })
      .catch(() => undefined),
  )
  expect(rolledBack.written).toEqual([])
  // A write reports the same number of rows as without the triggers.
  const saved = await sql`update ticket set title = 'Once more' where organization_id = ${organizationId} and id = ${ticketId}`.execute(db)
  expect(saved.numAffectedRows).toBe(1n)
})
