import { limits } from '@tessera/contract/limits'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { createNewTicket, getTicketData, getTicketHistory } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, serverOfFile } from '../../../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const [ann, bob] = [await someone('all', { fullName: 'Ann' }), await someone('all', { fullName: 'Bob' })]
  const [plain, muted] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  await server.as(ann, setTicketNotification, { idTicket: muted, Notify: 0 })
  const input = { idProject, idTemplate: project.templates.bug, Title: 'Of Ann, who watches it without a setting' }
  const [own] = (await server.as(ann, createNewTicket, input)).body as [number]
  const change = async (who: Caller, Tickets: number[], Change: object) => {
    const { idPreview } = (await server.as(who, previewBulkChange, { idProject, Tickets, Change })).body
    return (await server.as(who, applyBulkChange, { idPreview })).body
  }
  const settings = async () =>
    await server.sql`select ticket_id, user_id, enabled, own from subscription where organization_id = ${organization} order by 1, 2`
  const watches = async (who: Caller, idTicket: number) => (await server.as(who, getTicketData, { idTicket })).body.NotificationSubscription
  return { ...made, ann, bob, plain, muted, own, change, settings, watches }
}

test('a revert restores each ticket’s former setting: none, watched or muted', async () => {
  const { idProject, ann, bob, plain, muted, own, change, settings, watches } = await setUp()
  await server.as(bob, setTicketNotification, { idTicket: plain, Notify: 1 })
  const before = await settings()
  const done = await change(ann, [plain, muted, own], { Watch: 1 })
  expect(done).toMatchObject({ Changed: 2, idChangeSet: expect.any(Number) })
  const idChangeSet = done.idChangeSet as number
  expect([await watches(ann, plain), await watches(ann, muted)]).toEqual([1, 1])
  const Changes = [{ Field: 'Watch', How: 'set', Value: 'Yes' }]
  const list = async (who: Caller) => (await server.as(who, getChangeSetList, { idProject })).body
  expect(await list(ann)).toMatchObject([{ idChangeSet, What: 'bulk', By: 'Ann', Tickets: 2, Reverted: 0, Changes, Some: [plain, muted] }])
  expect((await list(ann))[0]).not.toHaveProperty('Refused')
  expect((await server.as(ann, getTicketHistory, { idTicket: plain })).body.Changes).toEqual([])

  const refusal = 'Only the person who made this change can revert it: it changed what they watch'
  expect((await list(bob))[0]?.Refused).toBe(refusal)
  expect(await server.as(bob, revertChangeSet, { idChangeSet })).toMatchObject({ status: 422, body: { code: 'rule', error: refusal } })

  const Rows = [plain, muted].map(id => ({ id, Changes: [{ Field: 'Watch', Before: 'Yes', After: 'No' }] }))
  expect((await server.as(ann, revertChangeSet, { idChangeSet, Preview: 1 })).body).toMatchObject({ Total: 2, Changed: 2, Rows })
  const back = (await server.as(ann, revertChangeSet, { idChangeSet })).body
  expect(back).toMatchObject({ Changed: 2, Skipped: [] })
  // What is kept of it is no preview.
  const [kept] = await server.sql<{
    id: number
  }>`select id from bulk_preview where reverts = ${idChangeSet} and organization_id = ${ann.orgid}`
  expect((await server.as(ann, applyBulkChange, { idPreview: kept?.id })).status).toBe(404)
  expect(await settings()).toEqual(before)
  expect((await list(ann)).map(({ What, Tickets, Reverted }) => [What, Tickets, Reverted])).toEqual([
    ['revert', 2, 0],
    ['bulk', 2, 1],
  ])
  // The revert is a change set itself.
  expect((await server.as(ann, revertChangeSet, { idChangeSet: back.idChangeSet })).body).toMatchObject({ Changed: 2 })
  expect([await watches(ann, plain), await watches(ann, muted)]).toEqual([1, 1])

  // The person stopped watching meanwhile: there is nothing left to revert on that ticket.
  await server.as(ann, setTicketNotification, { idTicket: plain, Notify: 0 })
  expect((await server.as(ann, revertChangeSet, { idChangeSet })).body).toMatchObject({ Changed: 1 })
  // A day later the answer is forgotten, and it is not reverted once more.
  await server.sql`update bulk_preview set created_at = now() - interval '25 hours' where organization_id = ${ann.orgid}`
  const late = await server.as(ann, revertChangeSet, { idChangeSet })
  expect(late).toMatchObject({ status: 422, body: { error: 'This change has already been reverted' } })
})

test('a ticket that was watched by default, or by somebody else, is watched so again', async () => {
  const { organization, ann, plain, own, change, settings, watches } = await setUp()
  // Somebody else made Ann a watcher of this one.
  const row = { organization_id: organization, ticket_id: plain, user_id: ann.idUser, enabled: true, own: false }
  await server.db.insertInto('subscription').values(row).execute()
  const before = await settings()
  const { idChangeSet } = await change(ann, [own, plain], { Watch: 0 })
  expect(await watches(ann, own)).toBe(0)
  await server.as(ann, revertChangeSet, { idChangeSet })
  expect(await settings()).toEqual(before)
  expect(await watches(ann, own)).toBe(1)
})

test('a revert keeps the watch settings of other people and reverts the rest', async () => {
  const { project, ann, bob, plain, own, change, watches } = await setUp()
  const both = await change(ann, [plain, own], { State: project.states.doing, Watch: 1 })
  expect(both).toMatchObject({ Changed: 2 })
  const { body } = await server.as(bob, revertChangeSet, { idChangeSet: both.idChangeSet })
  expect(body).toMatchObject({ Changed: 2, Skipped: [] })
  expect((await server.as(bob, getTicketData, { idTicket: plain })).body.idState).toBe(project.states.open)
  expect([await watches(ann, plain), await watches(bob, plain)]).toEqual([1, 0])

  const again = await change(ann, [plain, own], { State: project.states.doing, Watch: 0 })
  expect((await server.as(ann, revertChangeSet, { idChangeSet: again.idChangeSet })).body).toMatchObject({ Changed: 2 })
  expect([await watches(ann, plain), await watches(ann, own)]).toEqual([1, 1])
})

test('a change of many tickets that is about watching alone counts the tickets of all its steps', async () => {
  const { organization, project, idProject, ann, change } = await setUp()
  const ids: number[] = []
  for (let n = 0; n < limits.bulkStep + 5; n++) ids.push(await makeTicket(server.db, organization, project))
  const { idChangeSet } = await change(ann, ids, { Watch: 1 })
  await server.as(ann, revertChangeSet, { idChangeSet })
  const { body } = await server.as(ann, getChangeSetList, { idProject })
  expect(body.map(({ What, Tickets }) => [What, Tickets])).toEqual([
    ['revert', ids.length],
    ['bulk', ids.length],
  ])
})
