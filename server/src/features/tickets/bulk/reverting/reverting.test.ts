import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { moveTicket, purgeTicket, restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { afterAll, expect, test } from 'vitest'
import { makeMember, makeOrganization, makeTicket, makeUser } from '../../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../../test/fixtures/recount.ts'
import { peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../../test/servers/server.ts'
import { planImport } from '../../../../import/export/plan.ts'
import { importExport } from '../../../../import/write.ts'

const server = await serverOfFile()

const folder = mkdtempSync(path.join(tmpdir(), 'tessera-revert-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = path.join(folder, 'export.csv')
writeFileSync(
  file,
  [
    'Summary,Issue key,Issue id,Parent id,Issue Type,Status,Project name,Custom field (Epic Link)',
    'Top,AWK-1,101,,Epic,Open,Awkward,',
    'Middle,AWK-2,102,,Story,Open,Awkward,AWK-1',
    'Low,AWK-3,103,102,Sub-task,Open,Awkward,',
    'Edited,AWK-4,104,,Story,Open,Awkward,AWK-1',
    'Alone,AWK-5,105,,Story,Open,Awkward,',
    'Host,AWK-6,106,,Story,Open,Awkward,',
  ].join('\r\n'),
)

test('reverting an import moves its tickets to the trash; tickets changed since stay with their ancestors unless they are chosen', async () => {
  const organization = await makeOrganization(server.db)
  const plan = await planImport(file, { also: [] })
  await importExport(server.db, {
    storage: server.system.storage,
    file,
    plan,
    target: { organizationId: organization, shortCode: 'AWK', title: 'AWK' },
  })
  const project = await server.db.selectFrom('project').select('id').where('organization_id', '=', organization).executeTakeFirstOrThrow()
  const idProject = project.id
  const member = async (permissions: readonly number[] | 'all') => {
    const idUser = await makeUser(server.db, organization)
    await makeMember(server.db, organization, idProject, idUser, permissions)
    return server.signedIn(idUser, organization)
  }
  const caller = await member('all')
  const rows = await server.sql<{ id: number; key: string; template: number }>`
    select id, external_id as key, template_id as template from ticket where organization_id = ${organization}`
  const idOf = (n: number) => rows.find(({ key }) => key === `AWK-${n}`)?.id as number
  const [top, middle, low, edited, alone, host] = [1, 2, 3, 4, 5, 6].map(idOf) as [number, number, number, number, number, number]
  const live = async () => {
    const left = await server.sql<{ id: number }>`
      select id from ticket where organization_id = ${organization} and trashed_at is null order by id`
    return left.map(({ id }) => id)
  }
  const sorted = (...ids: number[]) => ids.toSorted((a, b) => a - b)
  await server.as(caller, setTicketData, { idTicket: edited, Title: 'Edited by hand' })
  const created = await server.as(caller, createNewTicket, {
    idProject,
    idTemplate: rows.find(({ key }) => key === 'AWK-3')?.template,
    Title: 'New',
    idParent: host,
  })
  const [fresh] = created.body as [number]
  const [set] = (await server.as(caller, getChangeSetList, { idProject })).body
  expect(set).toMatchObject({ What: 'import', Tickets: 6, Reverted: 0 })
  const idChangeSet = set?.idChangeSet as number
  const before = await live()

  const viewer = await member([permission.viewTickets, permission.editTickets])
  expect(await server.as(viewer, revertChangeSet, { idChangeSet })).toMatchObject({ status: 422, body: { needs: 'Delete tickets' } })
  const foreseen = (await server.as(caller, revertChangeSet, { idChangeSet, Preview: 1 })).body
  expect(foreseen).toMatchObject({ Total: 6, Changed: 3, Same: 0 })
  expect(foreseen.Refused).toEqual(
    expect.arrayContaining([
      { Reason: 'Changed since the import, and left as it is', Tickets: [edited] },
      { Reason: 'A ticket below it stays', Tickets: sorted(top, host) },
    ]),
  )
  expect(await live()).toEqual(before)
  // One that was not imported stays, chosen or not.
  expect((await server.as(caller, revertChangeSet, { idChangeSet, Preview: 1, Also: [fresh] })).body).toMatchObject({ Changed: 3 })
  // Chosen: then its ancestors may go as well.
  expect((await server.as(caller, revertChangeSet, { idChangeSet, Preview: 1, Also: [edited] })).body).toMatchObject({ Changed: 5 })

  const done = (await server.as(caller, revertChangeSet, { idChangeSet })).body
  expect(done).toMatchObject({ Success: 1, Changed: 3 })
  expect(done.Skipped?.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(sorted(top, edited, host))
  expect((await server.as(caller, revertChangeSet, { idChangeSet })).body).toEqual(done)
  expect(await live()).toEqual(sorted(top, edited, host, fresh))
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  expect((await server.as(caller, getChangeSetList, { idProject })).body).toMatchObject([
    { What: 'revert', Tickets: 3, Reverted: 0 },
    { What: 'import', Tickets: 6, Reverted: 1 },
  ])

  // The revert is reverted in turn: everything is where it was.
  await server.as(caller, revertChangeSet, { idChangeSet: done.idChangeSet })
  expect(await live()).toEqual(before)
  expect((await server.as(caller, getTicketData, { idTicket: low })).body.idParent).toBe(middle)
  expect((await server.as(caller, revertChangeSet, { idChangeSet, Also: [edited] })).body).toMatchObject({ Changed: 5 })
  expect(await live()).toEqual(sorted(host, fresh))
  expect(alone).toBeGreaterThan(0)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('reverting a restore from the trash moves the tickets there again; an undone deletion in the settings cannot be reverted here', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const a = await makeTicket(server.db, organization, project, { title: 'a' })
  const below = await makeTicket(server.db, organization, project, { title: 'below', parentId: a })
  const inTrash = async () => {
    const rows = await server.sql<{ id: number; root: number }>`
      select id, trash_root_id as root from ticket where organization_id = ${organization} and trashed_at is not null order by id`
    return rows
  }
  await server.as(caller, trashTicket, { idTicket: a })
  await server.as(caller, restoreTicket, { idTicket: a })
  expect(await inTrash()).toEqual([])
  const [restored] = (await server.as(caller, getChangeSetList, { idProject })).body
  const back = [{ Field: 'Trash', How: 'removed', Value: null }]
  expect(restored).toMatchObject({ What: 'restore', Tickets: 2, OfTickets: 1, Changes: back, Some: [a, below] })
  expect(restored).not.toHaveProperty('Refused')
  const idChangeSet = restored?.idChangeSet as number
  const editor = await someone([permission.viewTickets, permission.editTickets])
  const seen = (await server.as(editor, getChangeSetList, { idProject })).body
  expect(seen[0]?.Refused).toBe('Needs the permission Delete tickets')
  expect(await server.as(editor, revertChangeSet, { idChangeSet })).toMatchObject({ status: 422, body: { needs: 'Delete tickets' } })
  const foreseen = (await server.as(caller, revertChangeSet, { idChangeSet, Preview: 1 })).body
  expect(foreseen).toMatchObject({ Total: 2, Changed: 2, Same: 0, Refused: [] })
  const done = (await server.as(caller, revertChangeSet, { idChangeSet })).body
  expect(done).toMatchObject({ Success: 1, Changed: 2, Skipped: [] })
  expect((await server.as(caller, revertChangeSet, { idChangeSet })).body).toEqual(done)
  expect(await server.as(caller, revertChangeSet, { idChangeSet, Preview: 1 })).toMatchObject({
    status: 422,
    body: { error: 'This change has already been reverted' },
  })
  expect(await inTrash()).toEqual([
    { id: a, root: a },
    { id: below, root: a },
  ])
  await server.as(caller, revertChangeSet, { idChangeSet: done.idChangeSet })
  expect(await inTrash()).toEqual([])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)

  // A ticket that was deleted for good is named, not counted as unchanged.
  const trash = (await server.as(caller, previewBulkChange, { idProject, Tickets: [below], Change: { Trash: 1 } })).body
  const trashed = (await server.as(caller, applyBulkChange, { idPreview: trash.idPreview })).body.idChangeSet as number
  expect((await server.as(caller, purgeTicket, { idTicket: below })).status).toBe(200)
  expect((await server.as(caller, revertChangeSet, { idChangeSet: trashed, Preview: 1 })).body).toMatchObject({
    Total: 1,
    Changed: 0,
    Same: 0,
    Refused: [{ Reason: 'This ticket is gone', Tickets: [below] }],
  })

  const { idLabel } = (await server.as(caller, setLabel, { idProject, Label: 'bug', Color: '#ff0000' })).body
  await server.as(caller, setTicketData, { idTicket: a, Labels: [{ idLabel, Enabled: 1 }] })
  await server.as(caller, deleteLabels, { idProject, ids: [idLabel] })
  await server.as(caller, restoreLabels, { idProject, ids: [idLabel] })
  const [label] = (await server.as(caller, getChangeSetList, { idProject })).body
  expect(label).toMatchObject({ What: 'restore', Tickets: 1, OfTickets: 0 })
  const refused = await server.as(caller, revertChangeSet, { idChangeSet: label?.idChangeSet })
  expect(refused).toMatchObject({ status: 422, body: { error: expect.stringContaining('settings') } })
})

test('a change that its revert leaves on some tickets is mailed; one that it takes back wholly is not', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const { doing, done } = project.states
  const Tickets = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const toMail = async (isEdited: boolean) => {
    const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { State: doing } })).body
    const { idChangeSet } = (await server.as(caller, applyBulkChange, { idPreview })).body
    if (isEdited) await server.as(caller, setTicketData, { idTicket: Tickets[0], State: done })
    await server.as(caller, revertChangeSet, { idChangeSet })
    return server.sql`select 1 from change_set_notice where organization_id = ${organization} and change_set_id = ${idChangeSet}`
  }
  expect(await toMail(false)).toEqual([])
  expect(await toMail(true)).toHaveLength(1)
})

test('a tree that went to the trash in several steps is restored whole, although a child is older than its parent', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const ticket = () => makeTicket(server.db, organization, project)
  const child = await ticket()
  const others = await Promise.all(Array.from({ length: 25 }, ticket))
  const parent = await ticket()
  await server.as(caller, moveTicket, { idTicket: child, idParent: parent })
  const tree = async () =>
    await server.sql`select id, parent_id, trash_root_id from ticket where organization_id = ${organization} order by id`
  const before = await tree()
  const trash = async (Tickets: number[]) => {
    const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { Trash: 1 } })).body
    return (await server.as(caller, applyBulkChange, { idPreview })).body
  }
  const done = await trash([child, ...others, parent])
  expect(done).toMatchObject({ Changed: 27, Skipped: [] })
  expect((await tree())[0]).toEqual({ id: child, parent_id: parent, trash_root_id: parent })
  expect((await server.as(caller, revertChangeSet, { idChangeSet: done.idChangeSet })).body).toMatchObject({ Changed: 27, Skipped: [] })
  expect(await tree()).toEqual(before)

  // As sets were written before: the child by itself, in an earlier step than its parent.
  for (const step of [others.slice(0, 1), others]) {
    const { idChangeSet } = await trash([child, ...step, parent])
    await server.sql`update ticket set trash_root_id = ${child} where organization_id = ${organization} and id = ${child}`
    await server.sql`
      update change set after = ${String(child)}
      where organization_id = ${organization} and change_set_id = ${idChangeSet} and ticket_id = ${child} and field = 'Trash'`
    expect((await server.as(caller, revertChangeSet, { idChangeSet })).body).toMatchObject({ Skipped: [] })
    expect(await tree()).toEqual(before)
  }
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})
