import type { Call } from '@tessera/contract/call'
import {
  getPermissionTypes,
  getPropertytypeList,
  getTicketFieldList,
  getTicketPropertyTypeList,
  getTicketStateList,
  getTicketTemplateList,
} from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('states, templates and fields come in their order, archived ones when asked for [3.14] [3.15] [7.32] [7.35] [7.38]', async () => {
  const { organization, project, idProject, someone, foreigner } = await peopledProject(server)
  const { states, templates, fields } = project
  const ann = await someone([1])
  await server.sql`update state set position = 9 where organization_id = ${organization} and id = ${states.open}`
  await server.sql`update template set archived_at = now() where organization_id = ${organization} and id = ${templates.bug}`
  await server.sql`update field set archived_at = now() where organization_id = ${organization} and id = ${fields.note}`

  expect((await server.as(ann, getTicketStateList, { idProject })).body).toEqual([
    { id: states.doing, Description: 'Doing', phase: 2 },
    { id: states.done, Description: 'Done', phase: 3 },
    { id: states.open, Description: 'Open', phase: 1 },
  ])
  expect((await server.as(ann, getTicketTemplateList, { idProject })).body).toEqual([
    { idTicketTemplate: templates.task, Description: 'Task' },
  ])
  const bug = { idTicketTemplate: templates.bug, Description: 'Bug' }
  expect((await server.as(ann, getTicketTemplateList, { idProject, Archived: 1 })).body).toEqual([bug])
  await server.sql`
    delete from template_field where organization_id = ${organization} and template_id = ${templates.bug} and field_id = ${fields.note}`
  const withField = async (idField: number) => (await server.as(ann, getTicketTemplateList, { idProject, Archived: 1, idField })).body
  expect(await withField(fields.size)).toEqual([bug])
  expect(await withField(fields.note)).toEqual([])
  expect((await server.as(ann, getTicketFieldList, { idProject })).body).toEqual([
    {
      id: fields.size,
      Label: 'Size',
      Key: 'size',
      FieldType: 2,
      FieldProps: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
  ])
  expect((await server.as(ann, getTicketFieldList, { idProject, Archived: 1 })).body).toEqual([
    { id: fields.note, Label: 'Note', Key: 'note', FieldType: 1, FieldProps: [] },
  ])

  for (const call of [getTicketStateList, getTicketTemplateList, getTicketFieldList] as Call[]) {
    await expectRefusals(server, call, {
      input: { idProject },
      caller: ann,
      foreigner,
      bad: [
        [{ idProject: '1' }, 'idProject'],
        [{}, 'idProject'],
      ],
    })
    const outsider = await server.signedIn(await makeUser(server.db, organization), organization)
    expect((await server.as(outsider, call, { idProject })).status).toBe(404)
  }
})

test('the lists that are the same in every project [3.16] [7.41] [7.42] [7.43]', async () => {
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  const types = (await server.as(ann, getPropertytypeList, {})).body
  expect(types.map(({ Description }) => Description)).toEqual([
    'TEXTMULTILINE',
    'SELECT',
    'TEXT',
    'NUMBER',
    'DATE',
    'CHECKBOX',
    'MULTISELECT',
    'USER',
    'URL',
  ])
  const stored = await server.db.selectFrom('property_type').select(['id', 'description as Description']).orderBy('id').execute()
  expect(types).toEqual(stored)
  expect((await server.as(ann, getTicketPropertyTypeList, {})).body).toEqual(
    types.map(({ id, Description }) => ({ idTicketPropertyType: id, Description })),
  )
  const permissions = (await server.as(ann, getPermissionTypes, {})).body
  expect(permissions).toHaveLength(13)
  expect(permissions[11]).toEqual({ id: 12, Description: 'Delete tickets' })
  for (const call of [getPropertytypeList, getTicketPropertyTypeList, getPermissionTypes] as Call[]) {
    await expectRefusals(server, call, { input: {}, caller: ann })
  }
})
