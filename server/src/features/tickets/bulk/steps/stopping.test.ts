import { limits } from '@tessera/contract/limits'
import { allPermissions } from '@tessera/contract/permissions'
import { getBulkProgress, revertChangeSet, stopBulkChange } from '@tessera/contract/tickets/bulk'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakAt, manyTickets } from '../../../../../test/fixtures/many-tickets.ts'
import { lockWaits } from '../../../../../test/postgres/lock-waits.ts'
import { startServer, type TestServer, unguarded } from '../../../../../test/servers/server.ts'

const step = limits.bulkStep
const size = 5 * step + 10

async function setUp(server: TestServer) {
  const made = await manyTickets(server, size)
  const { organization, idProject, caller, ids } = made
  type Run = { idPreview?: number; idChangeSet?: number }
  const progress = async (run: Run) => (await server.as(caller, getBulkProgress, { idProject, ...run })).body
  const stop = (run: Run) => server.as(caller, stopBulkChange, { idProject, ...run })
  /** Of each set whose mail is still to be sent: whether it is complete. */
  const notices = async () => {
    const rows = await server.sql<{ finished: boolean }>`
      select finished from change_set_notice where organization_id = ${organization} order by change_set_id`
    return rows.map(({ finished }) => finished)
  }

  /** Stops what `begin` does while its second step waits for a ticket. */
  async function stopWithin<T>(run: Run, begin: () => Promise<T>) {
    const db = unguarded(server.db)
    const held = await db.startTransaction().execute()
    await sql`select 1 from ticket where organization_id = ${organization} and id = ${ids[step]} for update`.execute(held)
    const answer = begin()
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    expect(await progress(run)).toEqual({ Total: size, Done: step, Changed: step, Ended: 0 })
    const stopped = stop(run)
    // The stop waits for the step, which waits for the ticket.
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    await held.rollback().execute()
    expect(await stopped).toMatchObject({ status: 200, body: { Success: 1 } })
    await db.destroy()
    return await answer
  }
  return { ...made, progress, stop, notices, stopWithin }
}

test('a change that is stopped keeps what is done, as one change set that can be reverted, and leaves the rest', async () => {
  await using server = await startServer()
  const { project, idProject, someone, ids, preview, apply, revert, inState, right, list, progress, stop, notices, stopWithin } =
    await setUp(server)
  const { open, doing } = project.states
  const { idPreview } = await preview({ State: doing })
  expect(await progress({ idPreview })).toEqual({ Total: size, Done: 0, Changed: 0, Ended: 0 })
  const { status, body } = await stopWithin({ idPreview }, () => apply(idPreview))
  const { Changed } = body
  expect(status).toBe(200)
  // The step that was being written, and no other.
  expect(Changed).toBe(2 * step)
  expect(body).toEqual({ Success: 1, idChangeSet: expect.any(Number), Changed, Skipped: [], Stopped: size - Changed })
  expect([await inState(doing), await inState(open)]).toEqual([Changed, size - Changed])
  expect(await list()).toEqual([['bulk', Changed, 0]])
  expect(await notices()).toEqual([true])
  await right()

  const ended = { Total: size, Done: Changed, Changed, Ended: 1 }
  expect(await progress({ idPreview })).toEqual(ended)
  expect((await stop({ idPreview })).body).toEqual({ Success: 1 })
  expect((await apply(idPreview)).body).toEqual(body)
  expect(await progress({ idPreview })).toEqual(ended)
  expect(await inState(doing)).toBe(Changed)

  // Other people with the same rights cannot see or stop it; nor is a set's revert found by its preview.
  const other = await someone(allPermissions)
  for (const call of [getBulkProgress, stopBulkChange]) {
    expect((await server.as(other, call, { idProject, idPreview })).status).toBe(404)
    for (const ofBoth of [{}, { idPreview, idChangeSet: body.idChangeSet }]) {
      const refused = await server.as(other, call, { idProject, ...ofBoth })
      expect(refused).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('idPreview must be given if idChangeSet is not') },
      })
    }
  }
  expect((await stop({ idChangeSet: body.idChangeSet as number })).status).toBe(404)

  const back = await revert(body.idChangeSet)
  expect(back.body).toMatchObject({ Changed, Skipped: [] })
  expect(back.body).not.toHaveProperty('Stopped')
  expect(await inState(open)).toBe(ids.length)
  expect(await progress({ idChangeSet: body.idChangeSet as number })).toEqual({ Total: Changed, Done: Changed, Changed, Ended: 1 })
  await right()
})

test('a change that was killed and then stopped is ended by the next call, and other people cannot stop it', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, ids, preview, apply, inState, list, progress, stop, notices } = await setUp(server)
  const { idPreview } = await preview({ State: project.states.doing })
  await server.sql`update ticket set version = version + 1 where organization_id = ${organization} and id = ${ids[0]}`
  const mend = await breakAt(server, ids[2 * step] as number)
  expect((await apply(idPreview)).status).toBe(500)
  await mend()
  const other = await someone(allPermissions)
  expect((await server.as(other, stopBulkChange, { idProject, idPreview })).status).toBe(404)
  const soFar = { Total: size, Done: 2 * step, Changed: 2 * step - 1 }
  expect(await progress({ idPreview })).toEqual({ ...soFar, Ended: 0 })
  expect(await notices()).toEqual([false])
  await server.sql`update change_set_notice set changed_at = now() - interval '9 minutes' where organization_id = ${organization}`
  expect((await stop({ idPreview })).status).toBe(200)
  expect(await progress({ idPreview })).toEqual({ ...soFar, Ended: 1 })
  // Its mail need not wait until it counts as interrupted, but long enough for a revert.
  expect(await notices()).toEqual([true])
  const waiting =
    await server.sql`select 1 from change_set_notice where changed_at > now() - interval '5 minutes' and organization_id = ${organization}`
  expect(waiting).toHaveLength(1)
  const { body } = await apply(idPreview)
  expect(body).toMatchObject({ Changed: 2 * step - 1, Skipped: [{ id: ids[0] }], Stopped: size - 2 * step })
  expect(await inState(project.states.doing)).toBe(2 * step - 1)
  expect(await list()).toEqual([['bulk', 2 * step - 1, 0]])

  // One that is stopped before its first step has changed nothing.
  const [early, later] = [await preview({ State: project.states.done }), await preview({ data: { size: 'l' } })]
  await stop({ idPreview: early.idPreview })
  expect((await apply(early.idPreview)).body).toEqual({ Success: 1, idChangeSet: null, Changed: 0, Skipped: [], Stopped: size })
  expect(await inState(project.states.done)).toBe(0)
  expect(await progress({ idPreview: later.idPreview })).toMatchObject({ Done: 0, Ended: 0 })
})

test('whoever continues a revert that another person began sees its progress and stops it', async () => {
  await using server = await startServer()
  const { project, idProject, someone, ids, preview, apply, revert } = await setUp(server)
  const idChangeSet = (await apply((await preview({ State: project.states.doing })).idPreview)).body.idChangeSet as number
  const mend = await breakAt(server, ids[step] as number)
  expect((await revert(idChangeSet)).status).toBe(500)
  const other = await someone(allPermissions)
  const asked = { idProject, idChangeSet }
  expect((await server.as(other, getBulkProgress, asked)).status).toBe(404)
  expect((await server.as(other, revertChangeSet, { idChangeSet })).status).toBe(500)
  await mend()
  expect((await server.as(other, getBulkProgress, asked)).body).toEqual({ Total: size, Done: step, Changed: step, Ended: 0 })
  expect((await server.as(other, stopBulkChange, asked)).status).toBe(200)
  expect((await server.as(other, revertChangeSet, { idChangeSet })).body).toMatchObject({ Changed: size - step })
})

test('a revert that is stopped does not count as the revert of its set, and another one reverts the rest', async () => {
  await using server = await startServer()
  const { organization, project, preview, apply, revert, inState, right, list, progress, stop, notices, stopWithin } = await setUp(server)
  const { open, doing, done } = project.states
  const { idChangeSet } = (await apply((await preview({ State: doing })).idPreview)).body
  const run = { idChangeSet: idChangeSet as number }
  expect((await stop(run)).status).toBe(404)
  const first = await stopWithin(run, () => revert(idChangeSet))
  const { Changed } = first.body
  expect(Changed).toBe(2 * step)
  expect(first.body).toMatchObject({ Success: 1, Skipped: [], Stopped: size - Changed })
  expect([await inState(open), await inState(doing)]).toEqual([Changed, size - Changed])
  expect(await list()).toEqual([
    ['revert', Changed, 0],
    ['bulk', size, 0],
  ])
  expect(await notices()).toEqual([true, true])
  await right()

  const rest = await revert(idChangeSet, { Preview: 1 })
  expect(rest.body).toMatchObject({ Total: size, Changed: size - Changed, Same: Changed, Refused: [] })
  const second = await revert(idChangeSet)
  expect(second.body).toMatchObject({ Changed: size - Changed, Skipped: [] })
  expect((await revert(idChangeSet)).body).toEqual(second.body)
  expect(await progress(run)).toEqual({ Total: size, Done: size, Changed: size - Changed, Ended: 1 })
  expect([await inState(open), await inState(doing)]).toEqual([size, 0])
  expect(await list()).toEqual([
    ['revert', size - Changed, 0],
    ['revert', Changed, 0],
    ['bulk', size, 1],
  ])
  // Nobody was mailed about the change, so nobody is mailed about its two reverts.
  expect(await notices()).toEqual([])
  await right()

  // Each of them can be reverted by itself.
  expect((await revert(first.body.idChangeSet as number)).body).toMatchObject({ Changed, Skipped: [] })
  expect(await inState(doing)).toBe(Changed)
  await right()

  // Of a change that was mailed, both are.
  const mailed = (await apply((await preview({ State: done })).idPreview)).body.idChangeSet as number
  await server.sql`delete from change_set_notice where organization_id = ${organization}`
  await stopWithin({ idChangeSet: mailed }, () => revert(mailed))
  expect((await revert(mailed)).body).toMatchObject({ Skipped: [] })
  expect(await notices()).toEqual([true, true])
})
