import {
  createNewTemplate,
  createNewTicketField,
  deleteTicketFields,
  getTicketFieldList,
  getTicketFieldUsage,
  getTicketTemplate,
  propertyTypes,
  restoreTicketFields,
  setTicketField,
  setTicketFieldOrder,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { large, projectFields, small, tags } from '../../../../test/fixtures/worlds/project-fields.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

test('create-new-ticket-field: each type, options where the type has them, a key once [7.39]', async () => {
  const { idProject, foreigner, caller, unpermitted } = await projectFields(server)
  for (const { id, Description } of propertyTypes) {
    const answer = await server.as(caller, createNewTicketField, { idProject, Label: Description, DbKey: `f${id}`, idControlType: id })
    expect(answer).toMatchObject({ status: 200, body: { Success: 1, idField: expect.any(Number) } })
  }
  const { body: made } = await server.as(caller, createNewTicketField, {
    idProject,
    Label: 'Colors',
    DbKey: ' Note ',
    idControlType: 7,
    FieldProps: [large, small],
  })
  const list = (await server.as(caller, getTicketFieldList, { idProject })).body
  expect(list.map(({ Key }) => Key)).toEqual(['note', 'size', ...propertyTypes.map(({ id }) => `f${id}`), 'Note'])
  expect(list.at(-1)).toEqual({ id: made.idField, Label: 'Colors', Key: 'Note', FieldType: 7, FieldProps: [large, small] })
  expect(await server.as(caller, createNewTicketField, { idProject, Label: 'Again', DbKey: 'note', idControlType: 1 })).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: expect.stringContaining('database key note') },
  })
  expect((await server.as(caller, createNewTicketField, { idProject, Label: 'New', DbKey: 'new', idControlType: 99 })).status).toBe(404)
  const input = { idProject, Label: 'New', DbKey: 'new', idControlType: 2 }
  await expectRefusals(server, createNewTicketField, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      ...['', 'a b', 'ä', 'a-b', 'x'.repeat(65), '__proto__', 'constructor', 'prototype'].map(
        DbKey => [{ ...input, DbKey }, 'DbKey'] as [unknown, string],
      ),
      [{ ...input, Label: ' ' }, 'Label'],
      [{ ...input, FieldProps: [small, small] }, 'FieldProps.1.value'],
      [{ ...input, idControlType: 1, FieldProps: [small] }, 'FieldProps'],
      [{ ...input, FieldProps: [{ value: 's' }] }, 'FieldProps.0.label'],
    ],
  })
})

test('set-ticket-field: label, order and labels of options are free; an option that tickets have stays', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, everything, unpermitted } = await projectFields(server)
  const idField = project.fields.size
  const idTicket = await makeTicket(server.db, organization, project)
  await server.as(everything, setTicketData, { idTicket, data: { size: 'l' } })
  const change = (FieldProps: { value: string; label: string }[]) => server.as(caller, setTicketField, { idProject, idField, FieldProps })
  expect((await change([{ value: 'l', label: 'Huge' }, small, { value: 'm', label: 'Medium' }])).body).toEqual({ Success: 1 })
  expect((await change([{ value: 'l', label: 'Huge' }])).body).toEqual({ Success: 1 })
  const before = await databaseDigest(server.db)
  expect(await change([small])).toMatchObject({ status: 422, body: { code: 'in_use', error: '1 ticket has the option Huge' } })
  expect(await databaseDigest(server.db)).toBe(before)
  await server.as(everything, setTicketData, { idTicket, data: { size: '' } })
  expect((await change([small])).body).toEqual({ Success: 1 })
  expect((await server.as(caller, setTicketField, { idProject, idField, Label: ' Shirt ' })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, getTicketFieldList, { idProject })).body[1]).toEqual({
    id: idField,
    Label: 'Shirt',
    Key: 'size',
    FieldType: 2,
    FieldProps: [small],
  })
  expect((await server.as(caller, setTicketField, { idProject, idField: foreign.fields.size, Label: 'Mine' })).status).toBe(404)
  const rows = await server.sql<{ field: string; before: string; after: string }>`
    select field, before, after from change where organization_id = ${organization} and subject = 'field' order by id`
  expect(rows.map(({ field }) => field)).toEqual(['Options', 'Options', 'Options', 'Label'])
  expect(rows.at(-1)).toEqual({ field: 'Label', before: 'Size', after: 'Shirt' })
  const input = { idProject, idField, Label: 'Other' }
  await expectRefusals(server, setTicketField, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, Key: 'other' }, 'Key'],
      [{ ...input, FieldProps: [small, { ...large, value: 's' }] }, 'FieldProps.1.value'],
      [{ idProject, idField: project.fields.note, FieldProps: [small] }, 'FieldProps'],
    ],
  })
})

test('options that somebody else changed since they were read are refused with the stored ones', async () => {
  const { project, idProject, caller } = await projectFields(server)
  const idField = project.fields.size
  const read = (await server.as(caller, getTicketFieldList, { idProject })).body.find(({ id }) => id === idField)?.FieldProps ?? []
  const medium = { value: 'm', label: 'Medium' }
  const theirs = [...read, medium]
  const save = (FieldProps: object[], FieldPropsBefore: object[]) =>
    server.as(caller, setTicketField, { idProject, idField, FieldProps, FieldPropsBefore })
  expect((await save(theirs, read)).body).toEqual({ Success: 1 })
  const before = await databaseDigest(server.db)
  expect(await save([small], read)).toMatchObject({ status: 409, body: { code: 'conflict', FieldProps: theirs } })
  expect(await databaseDigest(server.db)).toBe(before)
  expect((await save([small], theirs)).body).toEqual({ Success: 1 })
})

test('an option of a MULTISELECT is found in the lists of the tickets', async () => {
  const { project, idProject, everything } = await projectFields(server)
  const { idField } = (await server.as(everything, createNewTicketField, { idProject, ...tags })).body
  const idTicketTemplate = project.templates.bug
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [idField] })
  for (const list of [['s'], ['l', 's']]) {
    const [idTicket] = (await server.as(everything, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'tagged' })).body
    const saved = await server.as(everything, setTicketData, { idTicket: idTicket as number, data: { tags: JSON.stringify(list) } })
    expect(saved.status).toBe(200)
  }
  expect(await server.as(everything, setTicketField, { idProject, idField, FieldProps: [] })).toMatchObject({
    status: 422,
    body: { code: 'in_use', error: '2 tickets have the option Small; 1 ticket has the option Large' },
  })
  expect((await server.as(everything, getTicketFieldUsage, { idProject, ids: [idField] })).body).toEqual([
    { id: idField, Templates: 1, Tickets: 2 },
  ])
})

test('set-ticket-field-order and get-ticket-field-usage [7.40]', async () => {
  const { project, idProject, foreign, foreigner, caller, unpermitted } = await projectFields(server)
  const { note, size } = project.fields
  expect((await server.as(caller, setTicketFieldOrder, { idProject, SortOrder: [size] })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, getTicketFieldList, { idProject })).body.map(({ id }) => id)).toEqual([size, note])
  expect((await server.as(caller, setTicketFieldOrder, { idProject, SortOrder: [note, foreign.fields.note] })).status).toBe(404)
  expect((await server.as(caller, getTicketFieldUsage, { idProject, ids: [note, foreign.fields.note] })).status).toBe(404)
  const order = { idProject, SortOrder: [note, size] }
  await expectRefusals(server, setTicketFieldOrder, {
    input: order,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...order, SortOrder: [note, note] }, 'SortOrder']],
  })
  const input = { idProject, ids: [note, size] }
  expect((await server.as(caller, getTicketFieldUsage, input)).body).toEqual([
    { id: size, Templates: 2, Tickets: 0 },
    { id: note, Templates: 2, Tickets: 0 },
  ])
  await expectRefusals(server, getTicketFieldUsage, { input, caller, foreigner, unpermitted })
})

test('an unused field is deleted; a used one is archived: no longer offered, still on its tickets, restored with its templates', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, everything, unpermitted } = await projectFields(server)
  const { note, size } = project.fields
  const idTicketTemplate = project.templates.bug
  const [withNote, without] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  await server.as(everything, setTicketData, { idTicket: withNote, data: { note: 'kept' } })
  const { idField } = (await server.as(everything, createNewTicketField, { idProject, Label: 'Idle', DbKey: 'idle', idControlType: 3 }))
    .body
  const input = { idProject, ids: [note, idField] }
  await expectRefusals(server, deleteTicketFields, { input, caller, foreigner, unpermitted, bad: [[{ ...input, ids: [] }, 'ids']] })
  expect((await server.as(caller, deleteTicketFields, { idProject, ids: [note, foreign.fields.note] })).status).toBe(404)

  expect((await server.as(caller, deleteTicketFields, input)).body).toEqual({ Success: 1, Deleted: [idField], Archived: [note] })
  const list = async (Archived: 0 | 1) => (await server.as(caller, getTicketFieldList, { idProject, Archived })).body.map(({ id }) => id)
  expect([await list(0), await list(1)]).toEqual([[size], [note]])
  const keys = async (idTicket: number) => (await server.as(everything, getTicketData, { idTicket })).body.Fields.map(({ Key }) => Key)
  expect(await keys(withNote)).toContain('note')
  expect(await keys(without)).toEqual(['size'])
  expect((await server.as(everything, getTicketTemplate, { idProject, idTicketTemplate })).body.Fields).toEqual([size])
  expect(await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [note] })).toMatchObject({
    status: 422,
    body: { code: 'rule', error: 'The field Note is archived: restore it first' },
  })
  expect(
    (await server.as(everything, createNewTemplate, { idProject, Label: 'X', idEntryState: project.states.open, Fields: [note] })).status,
  ).toBe(422)
  expect(await server.as(everything, createNewTicketField, { idProject, Label: 'Note', DbKey: 'note', idControlType: 3 })).toMatchObject({
    status: 422,
    body: { code: 'duplicate' },
  })

  // Saving the template in between does not lose the archived field.
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [] })
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [size] })
  await expectRefusals(server, restoreTicketFields, { input: { idProject, ids: [note] }, caller, foreigner, unpermitted })
  expect((await server.as(caller, restoreTicketFields, { idProject, ids: [note, foreign.fields.note] })).status).toBe(404)
  expect((await server.as(caller, restoreTicketFields, { idProject, ids: [note, size] })).body).toEqual({ Success: 1 })
  expect(await list(1)).toEqual([])
  expect((await server.as(everything, getTicketTemplate, { idProject, idTicketTemplate })).body.Fields).toEqual([size, note])
  expect(await keys(without)).toEqual(['size', 'note'])
  const rows = await server.sql<{ field: string; before: string; after: string }>`
    select field, before, after from change where organization_id = ${organization} and subject = 'field' and subject_id in (${note}, ${idField}) order by id`
  expect(rows.slice(-7)).toEqual([
    { field: 'Label', before: 'Idle', after: null },
    { field: 'Key', before: 'idle', after: null },
    { field: 'Type', before: '3', after: null },
    { field: 'Options', before: '[]', after: null },
    { field: 'Position', before: '2', after: null },
    { field: 'Archived', before: '0', after: '1' },
    { field: 'Archived', before: '1', after: '0' },
  ])
})

test('a deleted field is restored whole under its id, unless its key has been taken since', async () => {
  const { organization, idProject, caller, everything } = await projectFields(server)
  const { idField } = (await server.as(everything, createNewTicketField, { idProject, ...tags })).body
  await server.as(everything, setTicketFieldOrder, { idProject, SortOrder: [idField] })
  const list = async () => (await server.as(caller, getTicketFieldList, { idProject })).body
  const before = await list()
  const input = { idProject, ids: [idField] }
  expect((await server.as(caller, deleteTicketFields, input)).body.Deleted).toEqual([idField])
  const { idField: again } = (await server.as(caller, createNewTicketField, { idProject, Label: 'T', DbKey: 'tags', idControlType: 3 }))
    .body
  const digest = await databaseDigest(server.db)
  expect(await server.as(caller, restoreTicketFields, input)).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'Another field now has the database key tags, so Tags stays deleted' },
  })
  expect(await databaseDigest(server.db)).toBe(digest)
  await server.as(caller, deleteTicketFields, { idProject, ids: [again] })
  expect((await server.as(caller, restoreTicketFields, input)).body).toEqual({ Success: 1 })
  expect(await list()).toEqual(before)
  const rows = await server.sql<{ field: string; after: string }>`
    select field, after from change
    where organization_id = ${organization} and subject_id = ${idField} and before is null order by id desc limit 5`
  expect(rows.toReversed()).toEqual([
    { field: 'Label', after: 'Tags' },
    { field: 'Key', after: 'tags' },
    { field: 'Type', after: '7' },
    { field: 'Options', after: expect.stringContaining('Small') },
    { field: 'Position', after: '0' },
  ])
})

test('a field whose values were all emptied counts as unused', async () => {
  const { project, idProject, everything } = await projectFields(server)
  const { idField } = (await server.as(everything, createNewTicketField, { idProject, Label: 'Brief', DbKey: 'brief', idControlType: 3 }))
    .body
  const idTicketTemplate = project.templates.bug
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [idField] })
  const idTicket = (await server.as(everything, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'a' })).body[0] as number
  await server.as(everything, setTicketData, { idTicket, data: { brief: 'here' } })
  await server.as(everything, setTicketData, { idTicket, data: { brief: '' } })
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [] })
  expect((await server.as(everything, deleteTicketFields, { idProject, ids: [idField] })).body).toEqual({
    Success: 1,
    Deleted: [idField],
    Archived: [],
  })
})

test('a field deleted while its value is saved: the value is refused or the field is kept', async () => {
  const { project, idProject, everything } = await projectFields(server)
  const idTicketTemplate = project.templates.bug
  const idTicket = (await server.as(everything, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'a' })).body[0] as number
  for (let race = 0; race < rounds(4); race++) {
    const DbKey = `race${race}`
    const { idField } = (await server.as(everything, createNewTicketField, { idProject, Label: DbKey, DbKey, idControlType: 3 })).body
    await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [idField] })
    const takeOut = async () => {
      await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate, Fields: [] })
      return server.as(everything, deleteTicketFields, { idProject, ids: [idField] })
    }
    const [deleted, saved] = await Promise.all([takeOut(), server.as(everything, setTicketData, { idTicket, data: { [DbKey]: 'x' } })])
    expect(deleted.status).toBe(200)
    expect([200, 404]).toContain(saved.status)
    expect(deleted.body[saved.status === 200 ? 'Archived' : 'Deleted']).toEqual([idField])
  }
})
