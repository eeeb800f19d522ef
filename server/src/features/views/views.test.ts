import { limits } from '@tessera/contract/limits'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { setProjectData } from '@tessera/contract/projects/projects'
import { deleteViews, getViewList, restoreViews, setView, setViewOrder } from '@tessera/contract/projects/views'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeProject, makeTicket } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('the list of views counts the tickets of each view and names deleted fields', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server, {})
  const ann = await someone(allPermissions)
  for (const title of ['red boat', 'blue boat', 'ship']) await makeTicket(server.db, organization, project, { title })
  await server.as(ann, trashTicket, { idTicket: await makeTicket(server.db, organization, project, { title: 'sunk boat' }) })
  const save = (Name: string, more: object) => server.as(ann, setView, { idProject, Name, ...more })
  await save('d', {})
  expect((await save('ä', { Query: 'boat sort:-title' })).status).toBe(200)
  await save('B', { Query: '-boat', Sort: [{ Column: 'State', Direction: 'asc' }], Group: 'Assignee', Columns: ['Labels', 'note'] })
  await save('c', { Query: 'boat or size:l sort:note', Columns: ['size'], Group: 'size', Sort: [{ Column: 'size', Direction: 'asc' }] })
  const counts = async () =>
    (await server.as(ann, getViewList, { idProject, Counts: 1, Zone: 'Europe/Berlin' })).body.map(({ Name, Total, Gone }) => [
      Name,
      Total,
      Gone,
    ])
  expect(await counts()).toEqual([
    ['ä', 2, undefined],
    ['B', 1, undefined],
    ['c', 2, undefined],
    ['d', 3, undefined],
  ])
  await server.sql`delete from field where organization_id = ${organization} and key = 'size'`
  expect((await counts())[2]).toEqual(['c', undefined, ['size']])
  // What is sent back as it was read is no change.
  const listed = (await server.as(ann, getViewList, { idProject })).body
  const { idView, Query } = listed[2] as { idView: number; Query: string }
  expect((await save('c', { idView, Query })).status).toBe(200)
  expect((await save('c', { idView, Query: `${Query} red` })).status).toBe(400)
  const none = [undefined, undefined]
  expect(listed.map(({ Total, Gone }) => [Total, Gone])).toEqual([none, none, [undefined, ['size']], none])
})

test('a view that asks for due dates counts by the field that the project names for them', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server, {})
  const ann = await someone(allPermissions)
  const ends = await makeField(server.db, organization, project, 'ends', 'DATE')
  const idTicket = await makeTicket(server.db, organization, project)
  await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${idTicket}, ${ends}, '2026-01-01')`
  await server.as(ann, setView, { idProject, Name: 'Late', Query: 'is:open due:<today sort:due' })
  await server.as(ann, setView, { idProject, Name: 'Undated', Query: 'due:none' })
  const counts = async () =>
    (await server.as(ann, getViewList, { idProject, Counts: 1 })).body.map(({ Name, Total, Gone }) => [Name, Total, Gone])
  expect(await counts()).toEqual([
    ['Late', 0, undefined],
    ['Undated', 1, undefined],
  ])
  expect((await server.as(ann, setProjectData, { idProject, DueField: 'ends' })).status).toBe(200)
  expect(await counts()).toEqual([
    ['Late', 1, undefined],
    ['Undated', 0, undefined],
  ])
})

test('views are private or shared, in each person’s own order, and changed by their owner or a project manager', async () => {
  const { organization, idProject, someone, foreigner } = await peopledProject(server, {})
  const manager = await someone(allPermissions)
  const ann = await someone([permission.viewTickets])
  const bob = await someone([permission.viewTickets])
  const list = async (who: Caller) => (await server.as(who, getViewList, { idProject })).body
  const names = async (who: Caller) => (await list(who)).map(({ Name }) => Name)
  const save = async (who: Caller, input: object) => server.as(who, setView, { idProject, ...input })

  const own = (
    await save(ann, { Name: 'Mine', Query: 'assignee:me sort:-updated', Columns: ['Labels', 'note'], Group: 'State', Layout: 'board' })
  ).body.idView
  const shared = (await save(ann, { Name: 'Open', Query: 'is:open', Scope: 'project' })).body.idView
  expect(await list(ann)).toEqual([
    {
      idView: own,
      Name: 'Mine',
      Query: 'assignee:me sort:-updated',
      Columns: ['Labels', 'note'],
      Sort: [],
      Group: 'State',
      Layout: 'board',
      Scope: 'private',
      Mine: 1,
      Default: 0,
    },
    {
      idView: shared,
      Name: 'Open',
      Query: 'is:open',
      Columns: [],
      Sort: [],
      Group: '',
      Layout: 'list',
      Scope: 'project',
      Mine: 1,
      Default: 0,
    },
  ])
  expect(await names(bob)).toEqual(['Open'])
  // A row is sent back as it was read: nothing changes, not even its owner.
  const [read] = await list(ann)
  expect((await save(ann, { ...read })).body).toEqual({ Success: 1, idView: own })
  expect((await save(manager, { ...(await list(manager))[0], Mine: 1 })).status).toBe(200)
  expect((await list(ann)).map(({ Mine }) => Mine)).toEqual([1, 1])
  expect((await list(ann))[0]).toEqual(read)

  expect((await save(bob, { idView: own, Name: 'Taken' })).status).toBe(404)
  expect(await save(bob, { idView: shared, Name: 'Taken' })).toMatchObject({
    status: 422,
    body: { code: 'not_permitted', needs: 'Manage project' },
  })
  expect(await save(ann, { idView: shared, Default: 1 })).toMatchObject({ status: 422, body: { needs: 'Manage project' } })
  expect((await save(manager, { idView: shared, Query: 'is:open -label:none', Default: 1 })).status).toBe(200)
  expect(await save(manager, { idView: shared, Scope: 'private' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await list(bob)).map(({ Query, Default, Mine }) => [Query, Default, Mine])).toEqual([['is:open -label:none', 1, 0]])
  await save(ann, { idView: own, Default: 1 })
  expect((await list(ann)).map(({ Default }) => Default)).toEqual([1, 0])

  const taken = (name: string) => ({ status: 422, body: { code: 'duplicate', error: `There is already a view named ${name}` } })
  expect(await save(bob, { Name: 'OPEN', Scope: 'project' })).toMatchObject(taken('OPEN'))
  expect((await save(bob, { Name: 'Open' })).status).toBe(200)
  expect(await save(bob, { Name: 'Bad', Query: 'a (b' })).toMatchObject({ status: 400, body: { code: 'query', Position: 2 } })
  expect(await save(bob, { Name: 'Bad', Query: 'stat:open' })).toMatchObject({
    status: 400,
    body: { code: 'query', Nearest: expect.arrayContaining(['state']) },
  })

  for (const Query of ['is:zzz', 'sort:has', 'created:soon', 'size:>3', 'phase:done'])
    expect([Query, await save(bob, { Name: 'Bad', Query })]).toMatchObject([Query, { status: 400, body: { code: 'query' } }])

  // Those that are left out keep their order.
  for (const SortOrder of [[own, shared], [shared, own], []])
    expect((await server.as(ann, setViewOrder, { idProject, SortOrder })).status).toBe(200)
  expect([await names(ann), await names(manager)]).toEqual([['Open', 'Mine'], ['Open']])
  // Her own default opens, although the project's is before it.
  expect((await list(ann)).map(({ Default }) => Default)).toEqual([0, 1])
  expect((await server.as(bob, setViewOrder, { idProject, SortOrder: [own] })).status).toBe(404)

  await expectRefusals(server, getViewList, { input: { idProject }, caller: ann, foreigner })
  await expectRefusals(server, setView, { input: { idProject, Name: 'New' }, caller: ann, foreigner, bad: [[{ idProject }, 'Name']] })
  await expectRefusals(server, deleteViews, { input: { idProject, ids: [own] }, caller: ann, foreigner })
  expect((await server.as(bob, deleteViews, { idProject, ids: [shared] })).status).toBe(422)
  expect((await server.as(ann, deleteViews, { idProject, ids: [own, shared] })).status).toBe(200)
  expect([await names(ann), await names(bob)]).toEqual([[], ['Open']])
  // The shared view has history: created, changed, deleted. The private ones have none.
  const history = await server.sql<{ had: boolean; has: boolean }>`
    select before is not null as had, after is not null as has from change where organization_id = ${organization} and subject = 'view' order by id`
  expect(history.map(({ had, has }) => [had, has])).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ])

  // Undo: the views with their ids, for those who might delete them, unless the name was given again.
  await expectRefusals(server, restoreViews, { input: { idProject, ids: [own] }, caller: ann, foreigner })
  expect((await server.as(bob, restoreViews, { idProject, ids: [own] })).status).toBe(404)
  expect((await server.as(bob, restoreViews, { idProject, ids: [shared] })).status).toBe(422)
  const { idView: rival } = (await save(manager, { Name: 'open', Scope: 'project', Default: 1 })).body
  expect(await server.as(ann, restoreViews, { idProject, ids: [own, shared] })).toMatchObject(taken('Open'))
  expect(await names(ann)).toEqual(['open'])
  await save(manager, { idView: rival, Name: 'Other' })
  for (const _ of [1, 2]) expect((await server.as(ann, restoreViews, { idProject, ids: [own, shared] })).status).toBe(200)
  expect((await list(ann)).map(({ idView, Name, Default }) => [idView, Name, Default])).toEqual([
    [shared, 'Open', 0],
    [own, 'Mine', 1],
    [rival, 'Other', 0],
  ])
  expect((await list(bob)).find(({ Default }) => Default)?.Name).toBe('Other')
  // Nor are two of one name, although neither is there.
  const twice: number[] = []
  for (const _ of [1, 2]) {
    const { idView } = (await save(ann, { Name: 'Twice' })).body
    await server.as(ann, deleteViews, { idProject, ids: [idView] })
    twice.push(idView)
  }
  expect(await server.as(ann, restoreViews, { idProject, ids: twice })).toMatchObject(taken('Twice'))
  // A deletion can still be undone after another one.
  for (const id of [shared, own]) await server.as(ann, deleteViews, { idProject, ids: [id] })
  expect((await server.as(ann, restoreViews, { idProject, ids: [own, shared] })).status).toBe(200)
  await server.as(ann, deleteViews, { idProject, ids: [own] })
  await server.sql`
    update ticket_view set deleted_at = ${new Date(Date.now() - 90_000_000)} where organization_id = ${organization} and id = ${own}`
  // A day later it is gone, whether or not another deletion has cleared it away.
  expect((await server.as(ann, restoreViews, { idProject, ids: [own] })).status).toBe(404)
  await server.as(ann, deleteViews, { idProject, ids: [shared] })
  expect((await server.as(ann, restoreViews, { idProject, ids: [own] })).status).toBe(404)
})

test('a private default view that is shared does not become the shared default', async () => {
  const { organization, idProject, someone } = await peopledProject(server, {})
  const [manager, ann] = [await someone(allPermissions), await someone([1])]
  const { projectId: elsewhere } = await makeProject(server.db, organization)
  await makeMember(server.db, organization, elsewhere, ann.idUser, [1])
  await server.as(ann, setView, { idProject: elsewhere, Name: 'There', Default: 1 })
  const save = (who: Caller, more: object) => server.as(who, setView, { idProject, ...more })
  const list = async () => (await server.as(ann, getViewList, { idProject })).body.map(({ Name, Scope, Default }) => [Name, Scope, Default])
  const other = (await save(manager, { Name: 'Other', Default: 1 })).body.idView
  const { idView } = (await save(ann, { Name: 'Mine', Default: 1 })).body
  // Other people's private defaults stay.
  expect((await server.as(manager, getViewList, { idProject })).body).toMatchObject([{ idView: other, Default: 1 }])
  await save(ann, { idView, Query: 'is:open' })
  expect(await list()).toEqual([['Mine', 'private', 1]])
  expect(await save(ann, { idView, Scope: 'project', Default: 1 })).toMatchObject({ status: 422, body: { needs: 'Manage project' } })
  expect((await save(ann, { idView, Scope: 'project' })).status).toBe(200)
  expect(await list()).toEqual([['Mine', 'project', 0]])
  // The other way round as well.
  await save(manager, { idView, Default: 1 })
  expect((await save(ann, { idView, Query: '' })).status).toBe(200)
  expect(await list()).toEqual([['Mine', 'project', 1]])
  await save(ann, { idView, Scope: 'private' })
  expect(await list()).toEqual([['Mine', 'private', 0]])
  // Each project has its own.
  expect((await server.as(ann, getViewList, { idProject: elsewhere })).body).toMatchObject([{ Name: 'There', Default: 1 }])
})

test('shared views of others do not count against private ones; without *Manage project* a person shares only a few', async () => {
  const { organization, idProject, someone } = await peopledProject(server, {})
  const [manager, ann, bob] = [await someone(allPermissions), await someone([1]), await someone([1])]
  const save = (who: Caller, more: object) => server.as(who, setView, { idProject, ...more })
  const fill = (who: { idUser: number }, shared: boolean, count: number) =>
    server.sql`insert into ticket_view (organization_id, project_id, owner_id, name, query, columns, sort, grouping, layout, shared, is_default)
      select ${organization}, ${idProject}, ${who.idUser}, ${`${who.idUser} ${shared}`} || n, '', '[]', '[]', '', 'list', ${shared}, false
      from generate_series(1, ${count}::int) n`
  const refused = (error: string) => ({ status: 422, body: { code: 'rule', error } })
  const few = refused(`Without Manage project you can share at most ${limits.sharedViewsOfPerson} views in a project`)
  await fill(ann, true, limits.sharedViewsOfPerson)
  expect(await save(ann, { Name: 'One more', Scope: 'project' })).toMatchObject(few)
  const { idView } = (await save(ann, { Name: 'Mine' })).body
  expect(await save(ann, { idView, Scope: 'project' })).toMatchObject(few)
  expect((await save(ann, { idView, Name: 'Still mine' })).status).toBe(200)

  // Whoever manages the project shares more, up to the project's limit.
  await fill(manager, true, limits.sharedViews - limits.sharedViewsOfPerson - 1)
  expect((await save(manager, { Name: 'The last', Scope: 'project' })).status).toBe(200)
  for (const who of [manager, bob])
    expect(await save(who, { Name: 'One more', Scope: 'project' })).toMatchObject(
      refused(`A project has at most ${limits.sharedViews} shared views`),
    )
  const { idView: own } = (await save(bob, { Name: 'Private' })).body
  expect(own).toBeGreaterThan(0)
  await server.as(bob, deleteViews, { idProject, ids: [own] })
  await fill(bob, false, limits.views)
  const many = refused(`You can have at most ${limits.views} private views in a project`)
  expect(await save(bob, { Name: 'One more' })).toMatchObject(many)
  expect(await server.as(bob, restoreViews, { idProject, ids: [own] })).toMatchObject(many)
})

test('a view stores its lanes and expanded tickets, and accepts only existing columns, orders and groups', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server, {})
  const ann = await someone(allPermissions)
  const parent = await makeTicket(server.db, organization, project, {})
  const save = (input: object) => server.as(ann, setView, { idProject, ...input })
  const list = async () => (await server.as(ann, getViewList, { idProject })).body
  const lanes = async () => (await list()).find(({ Name }) => Name === 'Lanes')?.Lanes
  const withLanes = (await save({ Name: 'Lanes', Layout: 'board', Lanes: 1 })).body.idView
  expect(await lanes()).toBe(1)
  await save({ idView: withLanes, Group: 'Assignee' })
  expect(await lanes()).toBe(1)
  for (const Lanes of ['Label', 'Assignee', 1] as const) {
    await save({ idView: withLanes, Group: 'State', Lanes })
    expect(await lanes()).toBe(Lanes)
  }
  await save({ idView: withLanes, Lanes: 'Assignee' })
  expect(await save({ idView: withLanes, Group: 'Assignee' })).toMatchObject({ status: 400, body: { fields: [{ path: 'Lanes' }] } })
  await save({ idView: withLanes, Lanes: 0 })
  expect(await lanes()).toBeUndefined()
  await server.as(ann, deleteViews, { idProject, ids: [withLanes] })
  const { idView } = (await save({ Name: 'Tree', Layout: 'tree', Open: [parent] })).body
  expect((await list())[0]?.Open).toEqual([parent])
  await save({ idView, Name: 'Other' })
  expect((await list())[0]?.Open).toEqual([parent])
  await save({ idView, Open: [] })
  expect((await list())[0]).not.toHaveProperty('Open')

  const strange = [{ Columns: ['nothing'] }, { Group: 'nothing' }, { Group: 'note' }, { Sort: [{ Column: 'nothing', Direction: 'asc' }] }]
  for (const input of strange) expect([input, (await save({ Name: 'New', ...input })).status]).toEqual([input, 400])
  const named = { Columns: ['size'], Group: 'size', Sort: [{ Column: 'size', Direction: 'asc' }] }
  expect((await save({ idView, ...named })).status).toBe(200)
  await server.sql`delete from field where organization_id = ${organization} and key = 'size'`
  // What the view has may be sent back.
  expect((await save({ idView, ...named })).status).toBe(200)
  expect((await save({ Name: 'New', ...named })).status).toBe(400)
})
