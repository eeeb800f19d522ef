import { permission } from '@tessera/contract/permissions'
import { deleteTicketStates } from '@tessera/contract/projects/project-config'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { moveTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { bulkWorld } from '../../../../test/fixtures/worlds/bulk-world.ts'
import { allBut } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('a bulk change is previewed, applied once as one change set, and reverted', async () => {
  const { project, idProject, caller, someone, foreigner, labelIds, ticket, preview, apply, revert, content, right } =
    await bulkWorld(server)
  const { doing } = project.states
  const [above, a, b, c, gone] = [await ticket('above'), await ticket('a'), await ticket('b'), await ticket('c'), await ticket('gone')]
  await server.as(caller, trashTicket, { idTicket: gone })
  await server.as(caller, setTicketData, { idTicket: c, State: doing, data: { size: 'l' }, Labels: [{ idLabel: labelIds[0], Enabled: 1 }] })
  await server.as(caller, moveTicket, { idTicket: c, idParent: above })
  const role = project.roles.assignee
  const Change = { State: doing, data: { size: 'l' }, Labels: [{ idLabel: labelIds[0], Enabled: 1 }], idParent: above }
  const before = await content()

  const seen = await preview([a, b, c, gone, above], Change)
  expect(seen).toMatchObject({ Total: 5, Changed: 2, Same: 1, NextCursor: null })
  expect(seen.Refused).toEqual([
    { Reason: 'A ticket cannot be moved below itself', Tickets: [above] },
    { Reason: 'This ticket is in the trash and takes no changes', Tickets: [gone] },
  ])
  const found = (await server.as(caller, previewBulkChange, { idProject, Query: 'is:trashed', Change })).body
  expect(found).toMatchObject({ Total: 1, Changed: 0, Refused: [{ Tickets: [gone] }] })
  expect(seen.Rows.map(({ id }) => id)).toEqual([a, b])
  expect(seen.Rows[0]?.Changes).toContainEqual({ Field: 'State', Before: 'Open', After: 'Doing' })
  expect(seen.Rows[0]?.Changes).toContainEqual({ Field: 'Size', Before: null, After: 'Large' })
  expect(seen.Rows[0]?.Changes).toContainEqual({ Field: 'Labels', Before: null, After: 'bug' })
  expect(await content()).toEqual(before)
  expect((await server.as(caller, previewBulkChange, { idProject, idPreview: seen.idPreview, Cursor: '1' })).body.Rows).toEqual(
    seen.Rows.slice(1),
  )

  // An earlier preview has its tickets and its change.
  for (const other of [{ Change }, { Tickets: [a] }, { Query: '' }, { Filter: {} }, { Zone: 'UTC' }]) {
    const contradictory = await server.as(caller, previewBulkChange, { idProject, idPreview: seen.idPreview, ...other })
    expect(contradictory).toMatchObject({ status: 400, body: { fields: [{ path: Object.keys(other)[0] }] } })
  }

  // Somebody changes one of them before it is applied.
  await server.as(caller, setTicketData, { idTicket: b, Title: 'b by somebody else' })
  const applied = await apply(seen.idPreview)
  expect(applied).toMatchObject({ Success: 1, Changed: 1, Skipped: [{ id: b, Reason: 'It was changed since the preview' }] })
  expect(await apply(seen.idPreview)).toEqual(applied)
  await right()
  const { Changes } = (await server.as(caller, getTicketHistory, { idTicket: a })).body
  expect(Changes.filter(({ idChangeSet }) => idChangeSet === applied.idChangeSet).map(({ Field }) => Field)).toEqual(
    expect.arrayContaining(['State', 'Parent', 'Label', 'data.size']),
  )
  expect((await server.as(caller, getTicketHistory, { idTicket: b })).body.Changes.filter(({ Field }) => Field === 'State')).toEqual([])

  const foreseen = await revert(applied.idChangeSet, { Preview: 1 })
  expect(foreseen.body).toMatchObject({ Total: 1, Changed: 1, Same: 0, Refused: [], Rows: [{ id: a }] })
  const reverted = (await revert(applied.idChangeSet)).body
  expect(reverted).toMatchObject({ Success: 1, Changed: 1, Skipped: [] })
  expect(await content()).toEqual(before)
  await right()
  expect((await revert(applied.idChangeSet)).body).toEqual(reverted)
  expect((await revert(applied.idChangeSet, { Preview: 1 })).status).toBe(422)
  // A day later its answer is forgotten.
  await server.sql`update bulk_preview set created_at = now() - interval '2 days' where organization_id = ${caller.orgid}`
  expect(await revert(applied.idChangeSet)).toMatchObject({ status: 422, body: { error: 'This change has already been reverted' } })
  const list = async () =>
    (await server.as(caller, getChangeSetList, { idProject })).body.map(({ What, By, Tickets, Reverted }) => [What, By, Tickets, Reverted])
  expect(await list()).toEqual([
    ['revert', 'Ada', 1, 0],
    ['bulk', 'Ada', 1, 1],
  ])
  // The revert is a change set itself.
  expect((await revert(reverted.idChangeSet as number)).body).toMatchObject({ Success: 1, Changed: 1 })
  expect((await content()).find(({ id }) => id === a)).toMatchObject({ state: doing })
  expect((await list()).map(([, , , isReverted]) => isReverted)).toEqual([0, 1, 0])
  await revert(applied.idChangeSet)
  expect((await list()).map(([, , , isReverted]) => isReverted)).toEqual([0, 0, 1, 1])

  const people = [{ idUser: caller.idUser, idRole: role, Enabled: 1 }]
  const viewer = await someone(allBut(permission.assignPeople))
  const input = { idProject, Tickets: [a], Change: { TicketAssign: people } }
  for (const [who, part, needs] of [
    [viewer, { TicketAssign: people }, 'Assign people'],
    [await someone(allBut(permission.editTickets)), { idParent: above }, 'Edit tickets'],
    [await someone(allBut(permission.deleteTickets)), { Trash: 1 }, 'Delete tickets'],
  ] as const) {
    const asked = { ...input, Change: part }
    expect(await server.as(who, previewBulkChange, asked)).toMatchObject({ status: 422, body: { needs } })
    // What is malformed is said first.
    expect(await server.as(who, previewBulkChange, { ...asked, Query: 'x' })).toMatchObject({ status: 400 })
  }
  expect((await server.as(caller, previewBulkChange, { ...input, Tickets: [a, 999_999] })).status).toBe(404)
  await expectRefusals(server, previewBulkChange, {
    input,
    caller,
    foreigner,
    unpermitted: viewer,
    bad: [
      [{ ...input, Change: {} }, 'Change'],
      [{ ...input, Change: { Trash: 1, idParent: null } }, 'Change.Trash'],
      [{ idProject, Change: input.Change }, 'Tickets'],
      [{ idProject, Tickets: [a] }, 'Change'],
    ],
  })
  // A move is a change, too.
  const outdated = await preview([b], { State: doing })
  await server.as(caller, moveTicket, { idTicket: b, idParent: above })
  expect(await apply(outdated.idPreview)).toMatchObject({ Changed: 0, Skipped: [{ id: b, Reason: 'It was changed since the preview' }] })
  const { idPreview } = await preview([a], { TicketAssign: people })
  await expectRefusals(server, applyBulkChange, { input: { idPreview }, caller, foreigner })
  // A preview is its author's.
  expect((await server.as(viewer, applyBulkChange, { idPreview })).status).toBe(404)
  const { idChangeSet } = await apply(idPreview)
  await expectRefusals(server, revertChangeSet, { input: { idChangeSet }, caller, foreigner, unpermitted: viewer })
  await expectRefusals(server, getChangeSetList, { input: { idProject }, caller, foreigner })
  await server.sql`update bulk_preview set created_at = now() - interval '25 hours' where organization_id = ${caller.orgid}`
  expect((await server.as(caller, applyBulkChange, { idPreview })).status).toBe(404)
  await server.sql`update change_set_summary set made_at = now() - interval '91 days' where organization_id = ${caller.orgid}`
  expect((await revert(idChangeSet)).body).toMatchObject({ error: 'A change can be reverted for 90 days' })
})

test('a revert names the tickets that it cannot restore because their state no longer exists', async () => {
  const { project, idProject, caller, ticket, change, revert } = await bulkWorld(server)
  const { doing, done, open } = project.states
  const a = await ticket('a')
  await server.as(caller, setTicketData, { idTicket: a, State: done })
  const { idChangeSet } = await change([a], { State: doing })
  await server.as(caller, deleteTicketStates, { idProject, ids: [done], idReplacement: open })
  expect((await revert(idChangeSet)).body.Skipped).toEqual([{ id: a, Reason: 'Its previous value no longer exists: State' }])
})

test('reverting a bulk change keeps and names what was changed since', async () => {
  const { project, caller, labelIds, ticket, change, revert, content, organization } = await bulkWorld(server)
  const { doing, done, open } = project.states
  const [a, b] = [await ticket('a'), await ticket('b')]
  const { idChangeSet } = await change([a, b], {
    State: doing,
    data: { size: 's', note: 'by all' },
    Labels: [{ idLabel: labelIds[1], Enabled: 1 }],
  })
  await server.as(caller, setTicketData, { idTicket: a, State: done, data: { size: 'l' } })
  await server.sql`delete from label where organization_id = ${organization} and id = ${labelIds[1]}`
  // The workflow has no transition back, but the move is reverted anyway.
  await server.sql`insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    values (${organization}, ${project.projectId}, ${doing}, ${done})`
  const kept = (await revert(idChangeSet)).body
  expect(kept).toMatchObject({ Success: 1, Changed: 2 })
  expect(kept.Skipped).toEqual([
    { id: a, Reason: 'Changed since, and left as it is: Size' },
    { id: a, Reason: 'Changed since, and left as it is: State' },
  ])
  expect(await content()).toMatchObject([
    { id: a, state: done, values: { [project.fields.size]: 'l' }, labels: null },
    { id: b, state: open, values: null, labels: null },
  ])
})

test('tickets that were trashed together are restored together', async () => {
  const { ticket, change, revert, content, right } = await bulkWorld(server)
  const top = await ticket('top')
  const a = await ticket('a', top)
  const below = await ticket('below', a)
  const lowest = await ticket('lowest', below)
  const b = await ticket('b')
  const before = await content()
  const trashed = await change([lowest, a, b], { Trash: 1 })
  expect(trashed).toMatchObject({ Changed: 3, Skipped: [] })
  const roots = new Map((await content()).map(row => [row.id, (row as unknown as { trash: number | null }).trash]))
  expect([top, a, below, lowest, b].map(id => roots.get(id))).toEqual([null, a, a, a, b])
  await right()
  const back = (await revert(trashed.idChangeSet)).body
  expect(await content()).toEqual(before)
  await right()
  await revert(back.idChangeSet as number)
  expect((await content()).filter(row => (row as unknown as { trash: number | null }).trash !== null)).toHaveLength(4)
  await right()
})

test('a blocker that the same change closes blocks nothing; one that stays open does', async () => {
  const { organization, idProject, project, ticket, preview, right, change } = await bulkWorld(server)
  const [first, second, third, outside] = [await ticket('1'), await ticket('2'), await ticket('3'), await ticket('o')]
  await server.sql`update project set blockers_hold = true where organization_id = ${organization} and id = ${idProject}`
  for (const [from, to] of [
    [first, second],
    [outside, third],
  ])
    await server.sql`insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind) values (${organization}, ${from}, ${to}, 'blocks')`
  const Change = { State: project.states.done }
  expect(await preview([first, second, third], Change)).toMatchObject({ Changed: 2, Refused: [{ Tickets: [third] }] })
  expect(await preview([second], Change)).toMatchObject({ Changed: 0, Refused: [{ Tickets: [second] }] })
  expect(await change([first, second, third, outside], Change)).toMatchObject({ Changed: 4 })
  await right()
})

test('a query finds the tickets, page by page of the preview, and watching has no history', async () => {
  const { organization, project, idProject, caller, ticket, apply } = await bulkWorld(server)
  await server.sql`insert into ticket (organization_id, project_id, template_id, state_id, title)
    select ${organization}, ${idProject}, ${project.templates.bug}, ${project.states.open}, 'many ' || n from generate_series(1, 150) n`
  await ticket('another')
  const seen = await server.as(caller, previewBulkChange, { idProject, Query: 'title:many', Change: { Watch: 1 } })
  expect(seen.body).toMatchObject({ Total: 150, Changed: 150, NextCursor: '100' })
  const { idPreview } = seen.body
  const rest = await server.as(caller, previewBulkChange, { idProject, idPreview, Cursor: seen.body.NextCursor })
  expect(new Set([...seen.body.Rows, ...rest.body.Rows].map(({ id }) => id)).size).toBe(150)
  expect(rest.body.Rows[0]?.Changes).toEqual([{ Field: 'Watch', Before: 'No', After: 'Yes' }])
  expect(await apply(idPreview)).toEqual({ Success: 1, idChangeSet: expect.any(Number), Changed: 150, Skipped: [] })
  expect(await server.sql`select 1 from change where organization_id = ${organization}`).toEqual([])
  const rows = await server.sql`
    select 1 from subscription where organization_id = ${organization} and user_id = ${caller.idUser} and enabled`
  expect(rows).toHaveLength(150)
})

test('two overlapping bulk changes: each ticket is changed by one of them and listed as skipped by the other', async () => {
  const { project, ticket, preview, apply, content, right } = await bulkWorld(server)
  const ids = []
  for (const title of 'abcdefgh') ids.push(await ticket(title))
  const [low, high] = [ids.slice(0, 6), ids.slice(2)]
  const one = await preview(low, { State: project.states.doing })
  const two = await preview(high.toReversed(), { State: project.states.done })
  const answers = await Promise.all([apply(one.idPreview), apply(two.idPreview), apply(one.idPreview), apply(two.idPreview)])
  expect(answers[2]).toEqual(answers[0])
  expect(answers[3]).toEqual(answers[1])
  expect((answers[0]?.Changed ?? 0) + (answers[1]?.Changed ?? 0)).toBe(8)
  expect([answers[0]?.Skipped.length, answers[1]?.Skipped.length].sort()).toEqual([0, 4])
  expect((await content()).filter(({ state }) => state === project.states.open)).toEqual([])
  await right()
})

test('a revert restores every ticket that nobody edited since, for any set and any change', async () => {
  const { project, caller, labelIds, ticket, change, revert, content, right } = await bulkWorld(server)
  const { open, doing, done } = project.states
  const ids: number[] = []
  for (const title of 'abcdef') ids.push(await ticket(title, ids.length > 3 ? ids[0] : undefined))
  const optional = { requiredKeys: [] as [] }
  const part = fc.record(
    {
      State: fc.constantFrom(open, doing, done),
      idTemplate: fc.constantFrom(...Object.values(project.templates)),
      data: fc.record({ size: fc.constantFrom('', 's', 'l'), note: fc.constantFrom('', 'x\ny') }, optional),
      TicketAssign: fc.tuple(
        fc.record({
          idUser: fc.constant(caller.idUser),
          idRole: fc.constantFrom(...Object.values(project.roles)),
          Enabled: fc.constantFrom(0, 1),
        }),
      ),
      Labels: fc.tuple(fc.record({ idLabel: fc.constantFrom(...labelIds), Enabled: fc.constantFrom(0, 1) })),
      idParent: fc.constantFrom(null, ...ids),
    },
    optional,
  )
  const some = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 })
  const step = fc.record({ tickets: some, change: fc.oneof({ weight: 5, arbitrary: part }, fc.constant({ Trash: 1 })) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), fc.constantFrom(...ids), async (steps, touched) => {
      const sets: number[] = []
      const before = await content()
      for (const { tickets, change: what } of steps) {
        if (Object.keys(what).length === 0) continue
        const { idChangeSet } = await change(tickets, what)
        if (idChangeSet !== null) sets.push(idChangeSet)
      }
      const isTrashed = steps.some(({ change: what }) => 'Trash' in what)
      // A later edit of something else is left alone.
      if (!isTrashed) await server.as(caller, setTicketData, { idTicket: touched, Title: `touched ${sets.length}` })
      for (const set of sets.toReversed()) expect((await revert(set)).body).toMatchObject({ Success: 1, Skipped: [] })
      expect(await content()).toEqual(before)
      await right()
    }),
    { numRuns: 25, seed: Number(process.env.SEED ?? 20_261_122) },
  )
})
