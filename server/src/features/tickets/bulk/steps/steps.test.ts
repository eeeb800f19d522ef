import { limits } from '@tessera/contract/limits'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../../test/fixtures/factories.ts'
import { breakAt, manyTickets, size } from '../../../../../test/fixtures/many-tickets.ts'
import { startServer, unguarded } from '../../../../../test/servers/server.ts'
import { recordStatements } from '../../../../../test/statements/record-statements.ts'
import { buildApp } from '../../../../app.ts'
import { connect, poolOf } from '../../../../db/connections/connect.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { permissionMask } from '../../../../lib/authorize.ts'
import { withMutex } from '../../../../lib/turns.ts'
import { closeSystem, createSystem } from '../../../../process/system.ts'
import { doSteps } from './runs.ts'

test('an interrupted large change continues where it stopped, in one change set, and so does its revert', async () => {
  await using server = await startServer()
  const { project, caller, ids, preview, apply, revert, inState, right, list, organization, idProject } = await manyTickets(server)
  const { open, doing } = project.states
  const seen = await preview({ State: doing })
  expect(seen).toMatchObject({ Total: size, Changed: size, Refused: [] })
  let mend = await breakAt(server, ids.at(-1) as number)
  expect((await apply(seen.idPreview)).status).toBe(500)
  // Whole steps only.
  expect(await inState(doing)).toBe(2 * limits.bulkStep)
  await right()
  await mend()
  // A ticket of the last step is changed by somebody else meanwhile.
  await server.sql`update ticket set version = version + 1 where organization_id = ${organization} and id = ${ids.at(-2)}`
  const answers = await Promise.all([apply(seen.idPreview), apply(seen.idPreview)])
  expect(answers[0]).toMatchObject({ status: 200, body: { Changed: size - 1, Skipped: [{ id: ids.at(-2) }] } })
  expect(answers[1]?.body).toEqual(answers[0]?.body)
  expect((await apply(seen.idPreview)).body).toEqual(answers[0]?.body)
  expect(await inState(doing)).toBe(size - 1)
  expect(await list()).toEqual([['bulk', size - 1, 0]])
  await right()
  const idChangeSet = answers[0]?.body.idChangeSet as number

  mend = await breakAt(server, ids.at(-1) as number)
  expect((await revert(idChangeSet)).status).toBe(500)
  expect(await inState(open)).toBe(2 * limits.bulkStep + 1)
  expect((await list()).map(([, , isReverted]) => isReverted)).toEqual([0, 0])
  await mend()
  const back = await revert(idChangeSet)
  expect(back).toMatchObject({ status: 200, body: { Changed: size - 1, Skipped: [] } })
  expect((await revert(idChangeSet)).body).toEqual(back.body)
  expect(await inState(open)).toBe(size)
  expect(await list()).toEqual([
    ['revert', size - 1, 0],
    ['bulk', size - 1, 1],
  ])
  await right()

  // Page by page, the latest first.
  const page = async (more: object) =>
    (await server.as(caller, getChangeSetList, { idProject, Limit: 1, ...more })).body.map(row => row.idChangeSet)
  const [latest] = await page({})
  expect(await page({ Before: latest })).toEqual([idChangeSet])
  expect(await page({ Before: idChangeSet })).toEqual([])
})

test('a change that is reverted while it is interrupted does not continue', async () => {
  await using server = await startServer()
  const { organization, project, ids, preview, apply, revert, inState, list } = await manyTickets(server)
  const { idPreview } = await preview({ State: project.states.doing })
  await server.sql`update ticket set version = version + 1 where organization_id = ${organization} and id = ${ids[0]}`
  const mend = await breakAt(server, ids.at(-1) as number)
  expect((await apply(idPreview)).status).toBe(500)
  await mend()
  const changed = 2 * limits.bulkStep - 1
  const set = (await server.sql<{ id: number }>`/* all organizations: job */ select id from change_set_summary`)[0]?.id
  expect((await revert(set as number)).body).toMatchObject({ Changed: changed })
  const { Changed, Skipped } = (await apply(idPreview)).body
  expect(Changed).toBe(changed)
  // Of the first step and of the last one.
  expect(Skipped.map(({ id }) => id)).toEqual([ids[0], ...ids.slice(2 * limits.bulkStep)])
  expect(await inState(project.states.doing)).toBe(0)
  expect(await list()).toEqual([
    ['revert', changed, 0],
    ['bulk', changed, 1],
  ])
})

test('blockers and trees may lie in different steps', async () => {
  await using server = await startServer()
  const { organization, idProject, project, ids, preview, apply, revert, inState, right } = await manyTickets(server)
  const [first, second] = [ids[0], ids[1]] as [number, number]
  const [last, lastButOne] = [ids.at(-1), ids.at(-2)] as [number, number]
  await server.sql`update project set blockers_hold = true where organization_id = ${organization} and id = ${idProject}`
  for (const [from, to] of [
    [last, first],
    [lastButOne, last],
  ])
    await server.sql`insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind) values (${organization}, ${from}, ${to}, 'blocks')`
  const closed = await preview({ State: project.states.done })
  expect(closed).toMatchObject({ Changed: size, Refused: [] })
  const done = (await apply(closed.idPreview)).body
  expect(done).toMatchObject({ Changed: size, Skipped: [] })
  expect((await revert(done.idChangeSet)).body).toMatchObject({ Changed: size, Skipped: [] })

  // The last ticket goes to the trash with the one above it, by an earlier step.
  const moved = await preview({ idParent: second }, { Tickets: [last] })
  await apply(moved.idPreview)
  const trashed = (await apply((await preview({ Trash: 1 })).idPreview)).body
  expect(trashed).toMatchObject({ Changed: size, Skipped: [] })
  expect(await inState(project.states.open)).toBe(0)
  await right()
  expect((await revert(trashed.idChangeSet)).body).toMatchObject({ Changed: size, Skipped: [] })
  expect(await inState(project.states.open)).toBe(size)
  const rows = await server.sql`select 1 from ticket where organization_id = ${organization} and id = ${last} and parent_id = ${second}`
  expect(rows).toHaveLength(1)
  await right()
})

test('steps keep to the rate limit, and other changes get the turn and the connection between them', async () => {
  await using server = await startServer()
  const { organization, idProject, preview } = await manyTickets(server)
  const { idPreview } = await preview({ Watch: 1 })
  const { host, port, user, database } = poolOf(server.db).options
  const db = connect({ host, port, user, database }, { poolSize: 1 })
  const scope = { organizationId: organization, projectId: idProject } as ProjectScope

  /** Turns of somebody else before each step. */
  async function turnsBetween() {
    await sql`update bulk_preview set done = 0, applied = null where organization_id = ${organization} and id = ${idPreview}`.execute(db)
    const before: number[] = []
    let turns = 0
    let isDone = false
    // These steps write nothing, so that hardly anything but the waits takes time.
    const step = async () => {
      before.push(turns)
      turns = 0
      return { changeSetId: null, changed: 0, skipped: [] }
    }
    const began = performance.now()
    const steps = doSteps(db, scope, idPreview, { step }).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await withMutex(`bulk ${organization} ${idProject}`, () => sql`select 1`.execute(db))
      turns++
    }
    await steps
    // A timer may end a millisecond early.
    expect(performance.now() - began).toBeGreaterThan((2 * limits.bulkStep * 1000) / limits.bulkPerSecond - 3)
    expect(before).toHaveLength(3)
    return Math.max(...before)
  }
  // One turn between two steps is what a queue gives, even to those who wait while the pause holds it. On a busy machine a step may leave no pause.
  await expect.poll(turnsBetween, { timeout: 20_000 }).toBeGreaterThan(2)
  await db.destroy()
})

test('more tickets than the limit are refused with their number, and a change ends when a right is lost between two steps', async () => {
  await using server = await startServer()
  const { organization, project, idProject, caller, ids, preview, apply, inState } = await manyTickets(server)
  const { idPreview } = await preview({ State: project.states.doing }, { Query: 'title:many', Filter: { Title: 'any 1' } })
  expect(idPreview).toBeGreaterThan(0)
  expect((await preview({ Watch: 1 }, { Query: '' })).Total).toBe(size)
  expect((await preview({ Watch: 1 }, { Filter: { Id: `-${ids.at(-1)}` } })).Total).toBe(1)
  const all = await preview({ State: project.states.doing })
  const mend = await breakAt(server, ids.at(-1) as number)
  await apply(all.idPreview)
  await mend()
  const permit = (mask: number) =>
    server.sql`update project_member set permissions = ${mask} where organization_id = ${organization} and user_id = ${caller.idUser}`
  await permit(permissionMask([permission.viewTickets]))
  expect(await apply(all.idPreview)).toMatchObject({ status: 422, body: { needs: 'Change state' } })
  expect(await inState(project.states.doing)).toBe(2 * limits.bulkStep)
  await permit(permissionMask(allPermissions))
  expect(await apply(all.idPreview)).toMatchObject({ status: 200, body: { Changed: size } })

  // Their search rows take time to write, and do not matter here.
  const filler = unguarded(server.db)
  await sql`alter table ticket disable trigger user`.execute(filler)
  await sql`insert into ticket (organization_id, project_id, template_id, state_id, title)
    select ${organization}, ${idProject}, ${project.templates.bug}, ${project.states.open}, 'more' from generate_series(1, ${limits.bulkTickets}) n`.execute(
    filler,
  )
  await filler.destroy()
  const refused = await server.as(caller, previewBulkChange, { idProject, Filter: { Phases: [1, 2, 3] }, Change: { Watch: 1 } })
  expect(refused).toMatchObject({ status: 422, body: { code: 'rule', error: expect.stringContaining(String(limits.bulkTickets + size)) } })
})

test('preview, apply and revert send as many statements for a whole step as for 3 tickets, and none names a ticket of another project', async () => {
  await using server = await startServer()
  const { project, idProject, caller, ids, foreign, elsewhere } = await manyTickets(server)
  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const system = await createSystem(server.system.config, db)
  const app = await buildApp(system)
  const count = async (from: number, to: number) => {
    const Change = { State: project.states.doing, data: { size: 'l' } }
    recorder.start()
    const seen = await server.as(caller, previewBulkChange, { idProject, Tickets: ids.slice(from, to), Change }, {}, app)
    const applied = await server.as(caller, applyBulkChange, { idPreview: seen.body.idPreview }, {}, app)
    expect(applied.body.Changed).toBe(to - from)
    const sent = recorder.stop().filter(({ text }) => !/^\s*select pg_notify/.test(text)).length
    return { sent, idChangeSet: applied.body.idChangeSet }
  }
  // The first one of each also fills caches.
  await count(0, 3)
  const many = await count(3, 3 + limits.bulkStep)
  expect(many.sent).toBe((await count(size - 3, size)).sent)
  // A revert reads its tickets only step by step: all of them at once would keep everybody waiting.
  recorder.start()
  const back = await server.as(caller, revertChangeSet, { idChangeSet: many.idChangeSet }, {}, app)
  expect(back.body.Changed).toBe(limits.bulkStep)
  expect(recorder.stop().filter(({ text }) => /from ticket held\b/.test(text))).toHaveLength(1)
  closeSystem(system)
  await app.close()
  await db.destroy()

  const hidden = await makeTicket(server.db, elsewhere, foreign, { title: 'Secret' })
  const refused = await server.as(caller, previewBulkChange, { idProject, Tickets: [ids[0], hidden], Change: { Watch: 1 } })
  const unknown = await server.as(caller, previewBulkChange, { idProject, Tickets: [ids[0], 999_999_999], Change: { Watch: 1 } })
  expect(refused.status).toBe(404)
  expect({ ...refused.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
})

test('a label that is deleted between preview and apply: the tickets are refused and nothing is changed', async () => {
  await using server = await startServer()
  const { organization, idProject, project, ids, preview, apply, inState, right } = await manyTickets(server)
  const rows = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color) values (${organization}, ${idProject}, 'bug', '#ff0000') returning id`
  const Change = { State: project.states.doing, Labels: [{ idLabel: rows[0]?.id, Enabled: 1 }] }
  const { idPreview } = await preview(Change, { Tickets: ids.slice(0, 2) })
  await server.sql`delete from label where organization_id = ${organization}`
  expect((await apply(idPreview)).body).toMatchObject({
    Changed: 0,
    idChangeSet: null,
    Skipped: [{ Reason: 'Something that the change refers to was deleted' }, { Reason: 'Something that the change refers to was deleted' }],
  })
  expect(await inState(project.states.doing)).toBe(0)
  await right()
})
