import { limits } from '@tessera/contract/limits'
import { createCalendarFeed, getCalendarFeedList } from '@tessera/contract/projects/calendar-feeds'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { setTicketState, setTicketTemplate } from '@tessera/contract/projects/project-config'
import { deleteViews, getViewList, restoreViews, setView } from '@tessera/contract/projects/views'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeProject } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../test/postgres/lock-waits.ts'
import { type Caller, serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const world = await peopledProject(server, {})
  const admin = await world.someone('all', { admin: true })
  const label = async (Label: string, of = world.idProject, Scope: 'project' | 'organization' = 'project') =>
    (await server.as(admin, setLabel, { idProject: of, Label, Scope })).body.idLabel
  const rename = async (idLabel: number, Label: string, of = world.idProject) =>
    expect(await server.as(admin, setLabel, { idProject: of, idLabel, Label })).toMatchObject({ status: 200 })
  const views = async (who: Caller, of: number) => (await server.as(who, getViewList, { idProject: of })).body
  /** Makes a view of each query, or gives it to the view that is there. */
  const save = async (queries: readonly string[], who: Caller = admin, of = world.idProject) => {
    const present = await views(who, of)
    for (const [index, Query] of queries.entries()) {
      const view = present[index] ? { idView: present[index].idView } : { Name: String.fromCharCode(97 + index) }
      expect(await server.as(who, setView, { idProject: of, ...view, Query })).toMatchObject({ status: 200 })
    }
  }
  const stored = async (who: Caller = admin, of = world.idProject) => (await views(who, of)).map(({ Query }) => Query)
  return { ...world, admin, label, rename, save, stored }
}

test('a renamed label is renamed in saved queries, also back, and other queries keep every character', async () => {
  const { someone, label, rename, save, stored } = await setUp()
  const crash = await label('Absturz')
  await label('ui')
  const named = ['(label:absturz,UI  OR  x) sort:-id', 'Label:"Absturz"  not label:ui', '-label:none,ABSTURZ']
  const others = ['absturz "label:Absturz"', 'title:absturz', 'state:absturz', 'label:absturzes', 'label:*absturz*', 'label:none']
  await save([...named, ...others])
  // Somebody else's private view is renamed too.
  const bob = await someone([1])
  await save(['label:Absturz'], bob)
  await rename(crash, 'App crash')
  const after = ['(label:"App crash",UI  OR  x) sort:-id', 'Label:"App crash"  not label:ui', '-label:none,"App crash"']
  expect(await stored()).toEqual([...after, ...others])
  expect(await stored(bob)).toEqual(['label:"App crash"'])
  await rename(crash, 'Absturz')
  expect((await stored()).slice(0, 3)).toEqual(['(label:Absturz,UI  OR  x) sort:-id', 'Label:Absturz  not label:ui', '-label:none,Absturz'])
  // Only the case or the accents differ: the query finds it as it is.
  await rename(crash, 'ABSTURZ')
  expect((await stored())[0]).toBe('(label:Absturz,UI  OR  x) sort:-id')
  // The present name is in the list already.
  await save(['label:absturz,crash'])
  await rename(crash, 'crash')
  expect((await stored())[0]).toBe('label:crash')
})

test('a name is found with its accents or without them, as in a search', async () => {
  const { label, rename, save, stored } = await setUp()
  const overview = await label('Überblick')
  await save(['label:uberblick', 'label:ÜBERBLICK'])
  await rename(overview, 'say "no"')
  expect(await stored()).toEqual(['label:"say \\"no\\""', 'label:"say \\"no\\""'])
  await rename(overview, 'Überblick')
  expect(await stored()).toEqual(['label:Überblick', 'label:Überblick'])
  await label('Uberblick')
  await save(['label:uberblick'])
  await rename(overview, 'none')
  expect(await stored()).toEqual(['label:uberblick', 'label:"none"'])
})

test('a word that would find another name as well, because only its accents differ, becomes the new name', async () => {
  const { label, rename, save, stored } = await setUp()
  const cafe = await label('cafe')
  await label('cafè')
  await save(['label:CAFE', 'label:cafè'])
  await rename(cafe, 'café')
  expect(await stored()).toEqual(['label:café', 'label:cafè'])
})

test('where something else has the former name too, the query gets both', async () => {
  const { organization, idProject, admin, label, rename, save, stored } = await setUp()
  const { projectId: other } = await makeProject(server.db, organization)
  await makeMember(server.db, organization, other, admin.idUser, 'all')
  const wide = await label('bug', idProject, 'organization')
  const own = await label('bug')
  await save(['label:bug'])
  await save(['label:bug'], admin, other)
  // The organization's label is renamed in all projects; another organization is not touched.
  const strange = await setUp()
  await strange.save(['label:bug'])
  await rename(wide, 'fault', other)
  expect([await stored(), await stored(admin, other), await strange.stored()]).toEqual([
    ['label:bug,fault'],
    ['label:fault'],
    ['label:bug'],
  ])
  // A project's label is renamed in its project only.
  await save(['label:bug'], admin, other)
  await rename(own, 'defect')
  expect([await stored(), await stored(admin, other)]).toEqual([['label:defect,fault'], ['label:bug']])
})

test('states and types are renamed too; without quotation marks the word of a phase still means the phase', async () => {
  const { idProject, project, admin, save, stored } = await setUp()
  const renameState = async (State: string) =>
    expect(await server.as(admin, setTicketState, { idProject, idState: project.states.doing, State })).toMatchObject({ status: 200 })
  await save(['state:doing,done type:bug', 'type:doing label:doing state:bug'])
  await renameState('Active')
  expect((await stored())[0]).toBe('state:"Active",done type:bug')
  await save(['state:"active" or state:active'])
  await renameState('In work')
  expect((await stored())[0]).toBe('state:"In work" or state:active,"In work"')

  await save(['type:bug,task'])
  const template = { idProject, idTicketTemplate: project.templates.bug, Label: 'Defect' }
  expect(await server.as(admin, setTicketTemplate, template)).toMatchObject({ status: 200 })
  expect(await stored()).toEqual(['type:Defect,task', 'type:doing label:doing state:bug'])
})

test('calendar feeds and deleted views are renamed; a query that would become too long stays', async () => {
  const { organization, project, idProject, admin, label, rename, save, stored } = await setUp()
  await makeField(server.db, organization, project, 'due', 'DATE')
  const late = await label('late')
  const long = `label:late ${'x'.repeat(limits.queryLength - 11)}`
  await save(['label:late', long])
  const [view] = (await server.as(admin, getViewList, { idProject })).body
  await server.as(admin, deleteViews, { idProject, ids: [view?.idView as number] })
  await server.as(admin, createCalendarFeed, { idProject, Name: 'Late', Query: 'label:late', Field: 'due', Zone: 'UTC' })
  await rename(late, 'too late')
  await server.as(admin, restoreViews, { idProject, ids: [view?.idView as number] })
  expect(await stored()).toEqual(['label:"too late"', long])
  expect((await server.as(admin, getCalendarFeedList, { idProject })).body).toMatchObject([{ Query: 'label:"too late"' }])
})

test('a merged label is replaced in saved queries, and its restoration puts back what nobody has changed since', async () => {
  const { idProject, admin, label, save, stored } = await setUp()
  const [one, two, three] = [await label('one'), await label('two'), await label('three')]
  await save(['label:one,two', 'label:two', 'label:three', 'label:one is:open'])
  await server.as(admin, deleteLabels, { idProject, ids: [one, two], idReplacement: three })
  expect(await stored()).toEqual(['label:three', 'label:three', 'label:three', 'label:three is:open'])
  const idView = (await server.as(admin, getViewList, { idProject })).body[3]?.idView
  await server.as(admin, setView, { idProject, idView, Query: 'label:three is:closed' })
  const restored = async (...ids: number[]) => (await server.as(admin, restoreLabels, { idProject, ids })).body
  expect(await restored(one, two)).toEqual({ Success: 1, Tickets: 0, QueriesKept: 1 })
  expect(await stored()).toEqual(['label:one,two', 'label:two', 'label:three', 'label:three is:closed'])
  // A renaming of the replacement changes the queries too.
  await server.as(admin, deleteLabels, { idProject, ids: [two], idReplacement: three })
  await server.as(admin, setLabel, { idProject, idLabel: three, Label: 'drei' })
  expect(await restored(two)).toEqual({ Success: 1, Tickets: 0, QueriesKept: 1 })
  expect(await stored()).toEqual(['label:one,drei', 'label:drei', 'label:drei', 'label:drei is:closed'])
  await server.as(admin, deleteLabels, { idProject, ids: [two], idReplacement: three })
  expect(await restored(two)).toEqual({ Success: 1, Tickets: 0 })
  // Without a replacement the query keeps the name, and is found again after UNDO.
  await server.as(admin, deleteLabels, { idProject, ids: [one] })
  expect((await stored())[0]).toBe('label:one,drei')
})

test('a change of a view that began before a renaming does not bring the former name back', async () => {
  const { idProject, admin, label, rename, save, stored } = await setUp()
  const late = await label('late')
  await save(['label:late'])
  const idView = (await server.as(admin, getViewList, { idProject })).body[0]?.idView as number
  await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => server.as(admin, setView, { idProject, idView, Name: `n${index}` })),
    rename(late, 'soon'),
  ])
  expect(await stored()).toEqual(['label:soon'])
})

test('a query that is changed between being read and being written gets the new name too', async () => {
  const { organization, idProject, admin, label, rename, save, stored } = await setUp()
  const late = await label('late')
  await save(['label:late state:doing', 'label:late'])
  const idView = (await server.as(admin, getViewList, { idProject })).body[0]?.idView as number
  const { renaming } = await server.db.transaction().execute(async other => {
    await sql`
      update ticket_view set query = 'label:late state:busy' where organization_id = ${organization} and id = ${idView}`.execute(other)
    const begun = rename(late, 'soon')
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { renaming: begun }
  })
  await renaming
  expect(await stored()).toEqual(['label:soon state:busy', 'label:soon'])
})

test('a view that is changed while its query is being rewritten keeps the new query', async () => {
  const { organization, idProject, admin, save, stored } = await setUp()
  await save(['label:late'])
  const idView = (await server.as(admin, getViewList, { idProject })).body[0]?.idView as number
  const { change } = await server.db.transaction().execute(async renaming => {
    await sql`update ticket_view set query = 'label:soon' where organization_id = ${organization} and id = ${idView}`.execute(renaming)
    const begun = server.as(admin, setView, { idProject, idView, Name: 'Mine' })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { change: begun }
  })
  expect((await change).status).toBe(200)
  expect(await stored()).toEqual(['label:soon'])
})

test('a label is changed back only if it is as it was left', async () => {
  const { idProject, admin, label } = await setUp()
  const idLabel = await label('late')
  const set = (more: object) => server.as(admin, setLabel, { idProject, idLabel, ...more })
  await set({ Label: 'later' })
  await set({ Label: 'latest' })
  expect(await set({ Label: 'late', Before: { Label: 'later' } })).toMatchObject({
    status: 409,
    body: { code: 'conflict', error: 'Somebody else changed this label meanwhile', Label: 'latest' },
  })
  await set({ Color: '#112233' })
  // What UNDO does not change may have changed.
  expect((await set({ Label: 'late', Before: { Label: 'latest' } })).status).toBe(200)
  // A lost answer: the same again.
  expect((await set({ Label: 'late', Before: { Label: 'latest' } })).status).toBe(200)
})
