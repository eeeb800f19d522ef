import { limits } from '@tessera/contract/limits'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteLabels, setLabel } from '@tessera/contract/projects/labels'
import { deleteTicketTemplates } from '@tessera/contract/projects/project-config'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { executeUnlimited, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project } = made
  const caller = await made.someone(allPermissions, { fullName: 'Ada' })
  const ticket = (title: string, parentId?: number) =>
    makeTicket(server.db, organization, project, { title, ...(parentId && { parentId }) })
  return { ...made, caller, ticket }
}

test('a preview belongs to the person who asked for it: nobody else reads it, applies it or uses it up', async () => {
  const { idProject, caller, someone, ticket } = await setUp()
  const id = await ticket('a')
  const other = await someone(allPermissions, { fullName: 'Bea' })
  const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: [id], Change: { Watch: 1 } })).body
  expect(await server.as(other, previewBulkChange, { idProject, idPreview })).toMatchObject({ status: 404 })
  expect(await server.as(other, applyBulkChange, { idPreview })).toMatchObject({ status: 404 })
  expect((await server.as(other, getTicketData, { idTicket: id })).body.NotificationSubscription).toBe(0)
  expect((await server.as(caller, applyBulkChange, { idPreview })).body).toMatchObject({ Changed: 1 })
  expect((await server.as(caller, getTicketData, { idTicket: id })).body.NotificationSubscription).toBe(1)
})

test('an invalid value and an unknown key are refused as in a save; ticket types without the field are named', async () => {
  const { organization, project, idProject, caller, ticket } = await setUp()
  const Tickets = [await ticket('a'), await ticket('b')]
  const preview = (data: Record<string, string>) => server.as(caller, previewBulkChange, { idProject, Tickets, Change: { data } })
  const wrong = [{ path: 'Change.data.size', message: 'must be one of the options' }]
  expect(await preview({ note: 'x', size: 'huge' })).toMatchObject({ status: 400, body: { code: 'invalid', fields: wrong } })
  const missing = [{ path: 'Change.data.color', message: 'does not exist' }]
  expect(await preview({ note: 'x', color: 'red' })).toMatchObject({ status: 404, body: { code: 'not_found', fields: missing } })
  const gone = await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { State: 999_999 } })
  expect(gone).toMatchObject({ status: 404, body: { fields: [{ path: 'Change.State', message: 'does not exist' }] } })
  await server.sql`delete from template_field where organization_id = ${organization} and field_id = ${project.fields.size}`
  expect(await preview({ size: 's' })).toMatchObject({
    status: 200,
    body: { Changed: 0, Refused: [{ Reason: "Tickets of this type have no field 'size'", Tickets }] },
  })
})

test('another type for many tickets, with a field that it has; a type that is archived meanwhile is refused, and a revert does not bring it back', async () => {
  const { organization, project, idProject, caller, someone, ticket } = await setUp()
  const { bug, task } = project.templates
  await makeField(server.db, organization, project, 'cause', 'TEXT', { label: 'Cause' })
  const a = await makeTicket(server.db, organization, project, { title: 'a', templateId: task })
  const b = await ticket('b')
  const change = (Change: object) => server.as(caller, previewBulkChange, { idProject, Tickets: [a, b], Change })
  const viewer = await someone(allPermissions.filter(held => held !== permission.editTickets))
  expect(await server.as(viewer, previewBulkChange, { idProject, Tickets: [a], Change: { idTemplate: bug } })).toMatchObject({
    status: 422,
    body: { needs: 'Edit tickets' },
  })
  expect(await change({ idTemplate: 999_999 })).toMatchObject({ status: 404, body: { fields: [{ path: 'Change.idTemplate' }] } })
  const cause = { Field: 'Cause', Before: null, After: 'rust' }
  const seen = await change({ idTemplate: bug, data: { cause: 'rust' } })
  expect(seen.body).toMatchObject({
    Changed: 2,
    Refused: [],
    Rows: [
      { id: a, Changes: [cause, { Field: 'Type', Before: 'Task', After: 'Bug' }] },
      { id: b, Changes: [cause] },
    ],
  })
  const done = (await server.as(caller, applyBulkChange, { idPreview: seen.body.idPreview })).body
  expect(done).toMatchObject({ Changed: 2, Skipped: [] })
  expect((await server.as(caller, getTicketData, { idTicket: a })).body).toMatchObject({ Type: 'Bug', Version: 2 })
  const [listed] = (await server.as(caller, getChangeSetList, { idProject })).body
  expect(listed?.Changes).toContainEqual({ Field: 'Type', How: 'set', Value: 'Bug' })

  const again = (await change({ idTemplate: task })).body
  await makeTicket(server.db, organization, project, { templateId: task })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [task] })
  const Reason = 'This template is archived: choose another ticket type'
  expect((await server.as(caller, applyBulkChange, { idPreview: again.idPreview })).body).toMatchObject({
    Changed: 0,
    Skipped: [
      { id: a, Reason },
      { id: b, Reason },
    ],
  })
  expect((await server.as(caller, revertChangeSet, { idChangeSet: done.idChangeSet })).body).toMatchObject({
    Changed: 2,
    Skipped: [{ id: a, Reason: 'Its previous value no longer exists: Type' }],
  })
})

test('a ticket that is already watched counts as unchanged, whoever set it', async () => {
  const { project, idProject, caller, ticket } = await setUp()
  const input = { idProject, idTemplate: project.templates.bug, Title: 'made by the caller' }
  const [own] = (await server.as(caller, createNewTicket, input)).body as [number]
  const Tickets = [own, await ticket('by nobody')]
  expect((await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { Watch: 1 } })).body).toMatchObject({
    Changed: 1,
    Same: 1,
    Rows: [{ id: Tickets[1], Changes: [{ Field: 'Watch', Before: 'No', After: 'Yes' }] }],
  })
  expect((await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { Watch: 0 } })).body).toMatchObject({
    Changed: 1,
    Same: 1,
    Rows: [{ id: own, Changes: [{ Field: 'Watch', Before: 'Yes', After: 'No' }] }],
  })
})

test('the preview of a move to the trash counts the descendants that go with the tickets', async () => {
  const { idProject, caller, ticket } = await setUp()
  const above = await ticket('above')
  const child = await ticket('child', above)
  await ticket('grandchild', child)
  await server.as(caller, trashTicket, { idTicket: await ticket('in the trash already', above) })
  const alone = await ticket('alone')
  const look = async (Tickets: number[]) => (await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { Trash: 1 } })).body
  expect(await look([above, alone])).toMatchObject({
    Changed: 2,
    Along: 2,
    Rows: [
      { id: above, Changes: [{ Field: 'Trash', Before: null, After: 'In the trash' }] },
      { id: alone, Changes: [{ Field: 'Trash', Before: null, After: 'In the trash' }] },
    ],
  })
  // Those that are named themselves do not count twice.
  expect(await look([above, child])).toMatchObject({ Changed: 2, Along: 1 })
})

test('a ticket that would move below itself is refused, and the others move', async () => {
  const { idProject, caller, ticket } = await setUp()
  const chain = [await ticket('above')]
  while (chain.length <= limits.depth) chain.push(await ticket('below', chain.at(-1)))
  const alone = await ticket('alone')
  const move = async (id: number, idParent: number) =>
    (await server.as(caller, previewBulkChange, { idProject, Tickets: [id, alone], Change: { idParent } })).body
  const [first, second] = chain as [number, number]
  const nowhere = { idProject, Tickets: [alone], Change: { idParent: 987_654_321 } }
  expect((await server.as(caller, previewBulkChange, nowhere)).status).toBe(404)
  const { idPreview, ...preview } = await move(first, second)
  expect(preview).toMatchObject({ Changed: 1, Refused: [{ Tickets: [first] }], Rows: [{ id: alone }] })
  // It stays where it is, and what is above it counts for the others.
  const [last, above] = chain.toReversed() as [number, number]
  expect(await move(above, last)).toMatchObject({ Changed: 0, Refused: [{ Tickets: [above] }, { Tickets: [alone] }] })
  expect((await server.as(caller, applyBulkChange, { idPreview })).body).toMatchObject({ Changed: 1, Skipped: [] })
})

test('the tickets are skipped if what the change names is deleted before it is applied', async () => {
  const { idProject, caller, ticket } = await setUp()
  const id = await ticket('a')
  const { idLabel } = (await server.as(caller, setLabel, { idProject, Label: 'late' })).body
  const Change = { Labels: [{ idLabel, Enabled: 1 }] }
  const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: [id], Change })).body
  await server.as(caller, deleteLabels, { idProject, ids: [idLabel] })
  const Skipped = [{ id, Reason: 'Something that the change refers to was deleted' }]
  expect((await server.as(caller, applyBulkChange, { idPreview })).body).toMatchObject({ Changed: 0, Skipped })
})

test('blocked tickets are refused with the keys of their blockers; blockers that the caller cannot see are counted', async () => {
  const { organization, project, idProject, caller, someone, ticket } = await setUp()
  await server.sql`update project set blockers_hold = true where organization_id = ${organization} and id = ${idProject}`
  const [a, b, c, blocker] = [await ticket('a'), await ticket('b'), await ticket('c'), await ticket('blocker')]
  const block = (from: number, to: number) =>
    server.sql`insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind) values (${organization}, ${from}, ${to}, 'blocks')`
  await block(blocker, a)
  await block(blocker, b)
  await block(c, b)
  const Change = { State: project.states.done }
  const answer = await server.as(caller, previewBulkChange, { idProject, Tickets: [a, b], Change })
  const code = (id: number) => `${answer.body.Refused[0]?.Reason.match(/by (\w+)-/)?.[1]}-${id}`
  expect(answer.body.Refused).toEqual([
    { Reason: `Blocked by ${code(blocker)}`, Tickets: [a] },
    { Reason: `Blocked by ${code(c)} and ${code(blocker)}`, Tickets: [b] },
  ])
  // One in the trash blocks nothing.
  await server.as(caller, trashTicket, { idTicket: blocker })
  const free = await server.as(caller, previewBulkChange, { idProject, Tickets: [a], Change })
  expect(free.body).toMatchObject({ Changed: 1, Refused: [] })
  const elsewhere = await makeProject(server.db, organization, { title: 'Elsewhere', shortCode: 'ELSE' })
  await block(await makeTicket(server.db, organization, elsewhere, { title: 'unseen' }), c)
  const member = await someone([permission.viewTickets, permission.changeState], { fullName: 'Cy' })
  const seen = await server.as(member, previewBulkChange, { idProject, Tickets: [c], Change })
  expect(seen.body.Refused).toEqual([{ Reason: 'Blocked by a ticket you cannot see', Tickets: [c] }])
})

test('all labels of a project can be named to replace those of the tickets; labels that no ticket has cost nothing', async () => {
  const { organization, project, idProject, caller, ticket, foreigner, foreign } = await setUp()
  const labels = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color)
    select ${organization}, case when n % 2 = 0 then ${idProject}::bigint end, 'label ' || n, '#ff0000' from generate_series(1, 600) n
    returning id`
  const [kept = 0, taken = 0, both = 0, ...idle] = labels.map(({ id }) => id)
  const [a, b, c] = [await ticket('a'), await ticket('b'), await ticket('c')]
  const carry = (idTicket: number, ids: number[]) =>
    server.as(caller, setTicketData, { idTicket, Labels: ids.map(idLabel => ({ idLabel, Enabled: 1 })) })
  await carry(a, [taken, both])
  await carry(b, [kept, both])
  await carry(c, [kept])
  // Together with 600 labels for each of them, the change would be too large.
  const { rows: more } = await executeUnlimited(
    server,
    sql<{ id: number }>`
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organization}, ${idProject}, ${project.templates.bug}, ${project.states.open}, 'more' from generate_series(1, 1500) n
      returning id`,
  )
  const Labels = [{ idLabel: kept, Enabled: 1 }, ...[taken, both, ...idle].map(idLabel => ({ idLabel, Enabled: 0 }))]
  const preview = (Tickets: number[], wanted: object[] = Labels) =>
    server.as(caller, previewBulkChange, { idProject, Tickets, Change: { Labels: wanted } })
  expect((await preview([a, b, c, ...more.map(({ id }) => id)])).body).toMatchObject({ Total: 1503, Changed: 1502, Same: 1 })

  const { body } = await preview([a, b, c])
  expect(body).toMatchObject({ Changed: 2, Same: 1, Refused: [] })
  expect((await server.as(caller, applyBulkChange, { idPreview: body.idPreview })).body).toMatchObject({ Changed: 2, Skipped: [] })
  const carried = async (idTicket: number) =>
    (await server.as(caller, getTicketData, { idTicket })).body.Labels.map(({ idLabel }) => idLabel)
  for (const id of [a, b, c]) expect(await carried(id)).toEqual([kept])
  const { idChangeSet } = (await server.as(caller, getChangeSetList, { idProject })).body[0] ?? {}
  await server.as(caller, revertChangeSet, { idChangeSet })
  expect([new Set(await carried(a)), new Set(await carried(b))]).toEqual([new Set([taken, both]), new Set([kept, both])])

  // The last entry for a label counts, also if no ticket carries it.
  const [first = 0] = idle
  const twice = [1, 0].map(Enabled => ({ idLabel: first, Enabled }))
  expect((await preview([a], twice)).body).toMatchObject({ Changed: 0, Same: 1 })
  expect((await preview([a], twice.toReversed())).body).toMatchObject({ Changed: 1 })
  // A label of another organization's project is none, whatever is done with it.
  const { idLabel } = (await server.as(foreigner, setLabel, { idProject: foreign.projectId, Label: 'theirs', Color: '#00ff00' })).body
  expect((await preview([a], [{ idLabel, Enabled: 0 }])).status).toBe(404)
})

test('a preview, the tickets it refuses, and those that are skipped later come with their titles', async () => {
  const { idProject, caller, ticket } = await setUp()
  const [gate, fence, hinge] = [await ticket('Gate'), await ticket('Fence'), await ticket('Hinge')]
  await server.as(caller, trashTicket, { idTicket: hinge })
  const Tickets = [gate, fence, hinge]
  const preview = (await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { data: { note: 'rust' } } })).body
  expect([preview.Rows.map(({ id }) => id), preview.Refused.map(row => row.Tickets)]).toEqual([[gate, fence], [[hinge]]])
  expect(preview.Titles).toEqual([
    { id: gate, Title: 'Gate' },
    { id: fence, Title: 'Fence' },
    { id: hinge, Title: 'Hinge' },
  ])
  await server.as(caller, setTicketData, { idTicket: fence, Title: 'Fence post' })
  const applied = (await server.as(caller, applyBulkChange, { idPreview: preview.idPreview })).body
  expect([applied.Skipped.map(({ id }) => id), applied.Titles]).toEqual([[fence], [{ id: fence, Title: 'Fence post' }]])
  expect((await server.as(caller, applyBulkChange, { idPreview: preview.idPreview })).body).toEqual(applied)
})
