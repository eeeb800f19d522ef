import { limits } from '@tessera/contract/limits'
import { allPermissions } from '@tessera/contract/permissions'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { expect, test } from 'vitest'
import { makeField } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('a calendar is grouped by a DATE field, and other layouts are not', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server, {})
  const ann = await someone(allPermissions)
  const day = await makeField(server.db, organization, project, 'day', 'DATE')
  const save = (input: object) => server.as(ann, setView, { idProject, ...input })
  const list = async () => (await server.as(ann, getViewList, { idProject })).body.map(({ Name, Layout, Group }) => [Name, Layout, Group])
  const { idView } = (await save({ Name: 'Days', Layout: 'calendar', Group: 'day' })).body
  expect((await save({ Name: 'Usual days', Layout: 'calendar' })).status).toBe(200)
  const saved = [
    ['Days', 'calendar', 'day'],
    ['Usual days', 'calendar', ''],
  ]
  expect(await list()).toEqual(saved)
  const calendar = { Name: 'New', Layout: 'calendar' }
  const strange = [
    { ...calendar, Group: 'State' },
    { ...calendar, Group: 'size' },
    { ...calendar, Group: 'nothing' },
    { Name: 'New', Layout: 'list', Group: 'day' },
    { idView, Layout: 'list' },
    { idView, Group: 'size' },
  ]
  for (const input of strange) {
    const { status, body } = await save(input)
    expect([input, status, body]).toMatchObject([input, 400, { fields: [{ path: 'Group' }] }])
  }
  expect(await list()).toEqual(saved)
  expect((await save({ idView, Layout: 'list', Group: '' })).status).toBe(200)
  expect((await save({ idView, Layout: 'calendar', Group: 'day', Name: 'Again' })).status).toBe(200)
  await server.sql`delete from template_field where organization_id = ${organization} and field_id = ${day}`
  await server.sql`delete from field where organization_id = ${organization} and id = ${day}`
  const [{ Gone } = {}] = (await server.as(ann, getViewList, { idProject })).body
  expect(Gone).toEqual(['day'])
})

test('a timeline is grouped by two DATE fields, and calendars and boards are not', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server, {})
  const ann = await someone(allPermissions)
  const keys = ['begin', 'd'.repeat(limits.databaseKey)] as const
  for (const key of keys) await makeField(server.db, organization, project, key, 'DATE')
  const Group = keys.join('..')
  const save = (input: object) => server.as(ann, setView, { idProject, ...input })
  const timeline = { Name: 'Plan', Layout: 'timeline' }
  const { idView } = (await save({ ...timeline, Group })).body
  expect((await save({ ...timeline, Name: 'Usual' })).status).toBe(200)
  const strange = [
    ...['begin', 'begin..begin', 'begin..size', 'begin..nothing', `${Group}..begin`, 'begin..', '..begin', 'begin.size', 'State'].map(
      group => ({ ...timeline, Name: 'New', Group: group }),
    ),
    { Name: 'New', Layout: 'calendar', Group },
    { Name: 'New', Layout: 'list', Group },
    { idView, Layout: 'calendar' },
    { idView, Layout: 'board' },
    { idView, Group: 'begin' },
  ]
  for (const input of strange) {
    const { status, body } = await save(input)
    expect([input, status, body]).toMatchObject([input, 400, { fields: [{ path: 'Group' }] }])
  }
  const list = async () => (await server.as(ann, getViewList, { idProject })).body
  expect((await list()).map(view => [view.Name, view.Layout, view.Group, view.Gone])).toEqual([
    ['Plan', 'timeline', Group, undefined],
    ['Usual', 'timeline', '', undefined],
  ])
  await server.sql`delete from template_field f using field d where d.organization_id = ${organization} and d.key = 'begin'
    and f.organization_id = ${organization} and f.field_id = d.id`
  await server.sql`delete from field where organization_id = ${organization} and key = 'begin'`
  expect((await list())[0]?.Gone).toEqual(['begin'])
})
