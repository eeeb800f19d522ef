import { limits } from '@tessera/contract/limits'
import { allPermissions } from '@tessera/contract/permissions'
import {
  createNewTicketField,
  deleteTicketFields,
  restoreTicketFields,
  setTicketField,
  setTicketFieldType,
} from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { makeField } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { removedOptions, requireOptions } from './field-options.ts'

const server = await serverOfFile()

const option = (value: string, label = value) => ({ value, label })

test('an option is removed when its value is left out, whatever changes in labels and order', () => {
  expect(removedOptions([option('a'), option('b')], [option('b', 'B'), option('a', 'A')])).toEqual([])
  expect(removedOptions([option('a'), option('b', 'Bee'), option('c')], [option('c')])).toEqual([option('a'), option('b', 'Bee')])
  expect(removedOptions([], [option('a')])).toEqual([])
})

test('options belong to SELECT and MULTISELECT, each value once', () => {
  for (const type of [2, 7]) expect(() => requireOptions(type, [option('a'), option('b', 'a')])).not.toThrow()
  for (const type of [1, 3, 4, 5, 6, 8, 9]) {
    expect(() => requireOptions(type, [option('a')])).toThrow('FieldProps')
    expect(() => requireOptions(type, [])).not.toThrow()
    expect(() => requireOptions(type, undefined)).not.toThrow()
  }
  expect(() => requireOptions(2, [option('a'), option('a', 'other')])).toThrow("FieldProps.1.value repeats 'a'")
  expect(() => requireOptions(10, undefined)).toThrow('Not found')
})

test('the value of a new option is one line; an existing one keeps its own', () => {
  const option = { value: 'two\nlines', label: 'Two lines' }
  expect(() => requireOptions(2, [option])).toThrow('FieldProps.0.value must be on one line')
  expect(() => requireOptions(2, [{ ...option, value: 'a' }, option], [{ ...option, value: 'b' }])).toThrow('FieldProps.1.value')
  expect(() => requireOptions(2, [option], [option])).not.toThrow()
})

test('the options of all fields of a project have a size that no call can exceed', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const create = (DbKey: string, FieldProps?: object[]) =>
    server.as(caller, createNewTicketField, { idProject, Label: DbKey, DbKey, idControlType: 2, FieldProps } as never)
  const own = await create('own', [option('a')])
  const idField = own.body.idField
  const set = (FieldProps: { value: string; label: string }[]) => server.as(caller, setTicketField, { idProject, idField, FieldProps })
  await create('deleted', [option('b'.repeat(200))])
  const { id: deleted } = (
    await server.sql<{ id: number }>`
    select id from field where organization_id = ${organization} and project_id = ${idProject} and key = 'deleted'`
  )[0] as { id: number }
  expect((await server.as(caller, deleteTicketFields, { idProject, ids: [deleted] })).body.Deleted).toEqual([deleted])
  const words = await makeField(server.db, organization, project, 'words', 'TEXT')
  await server.sql`
    insert into field (organization_id, project_id, key, label, type_id, position, options)
    select ${organization}, ${idProject}, 'large', 'Large', 2, 9, jsonb_build_array(jsonb_build_object('value', 'v', 'label', repeat('x', ${limits.projectOptions - 200}::int)))`

  const refusal = { status: 422, body: { error: 'The options of all fields of a project may take at most 1 MB together' } }
  expect(await create('more', [option('c'.repeat(200))])).toMatchObject(refusal)
  expect(await set([option('a'), option('d'.repeat(200))])).toMatchObject(refusal)
  expect(await server.as(caller, restoreTicketFields, { idProject, ids: [deleted] })).toMatchObject(refusal)
  expect((await create('none')).status).toBe(200)

  // A project that has more already can change what does not add to it.
  await server.sql`
    update field set options = options || jsonb_build_array(jsonb_build_object('value', 'w', 'label', repeat('y', 400)))
    where organization_id = ${organization} and project_id = ${idProject} and key = 'large'`
  expect((await set([option('e')])).status).toBe(200)
  expect((await server.as(caller, setTicketFieldType, { idProject, idField, idControlType: 7 })).status).toBe(200)
  expect((await server.as(caller, setTicketFieldType, { idProject, idField: words, idControlType: 1 })).status).toBe(200)
})
