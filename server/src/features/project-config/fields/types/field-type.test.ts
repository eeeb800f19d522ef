import { permission } from '@tessera/contract/permissions'
import { getFieldTypeChange, getTicketFieldList, propertyType, setTicketFieldType } from '@tessera/contract/projects/project-config'
import { searchTickets } from '@tessera/contract/tickets/search'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeTicket, makeTickets } from '../../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer, type TestServer } from '../../../../../test/servers/server.ts'
import { type JobPayloads, quiet } from '../../../../lib/background/job-queue.ts'
import { indexField, indexFieldFor } from '../../../search/jobs.ts'

test('a TEXT field becomes a SELECT of its values if none is lost; the preview names what does not fit', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, foreigner, foreign } = await peopledProject(server)
  const caller = await someone('all')
  const unpermitted = await someone(allBut(permission.manageFields))
  const idField = project.fields.note
  const tickets: number[] = []
  for (const note of ['High', 'High', 'Low', 'two\nlines', '']) {
    const idTicket = await makeTicket(server.db, organization, project)
    await server.as(caller, setTicketData, { idTicket, data: { note } })
    tickets.push(idTicket)
  }
  const input = { idProject, idField, idControlType: 2 }
  const options = [
    { value: 'High', label: 'High' },
    { value: 'Low', label: 'Low' },
  ]
  expect((await server.as(caller, getFieldTypeChange, input)).body).toEqual({
    Tickets: 4,
    Unfit: 1,
    Values: [{ Value: 'two\nlines', Tickets: 1, Reason: 'has several lines' }],
    FieldProps: options,
  })
  const before = await databaseDigest(server.db)
  expect(await server.as(caller, setTicketFieldType, input)).toMatchObject({ status: 422, body: { code: 'in_use' } })
  expect((await server.as(caller, setTicketFieldType, { ...input, idField: foreign.fields.note })).status).toBe(404)
  expect((await server.as(caller, setTicketFieldType, { ...input, idControlType: 99 })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  for (const call of [getFieldTypeChange, setTicketFieldType])
    await expectRefusals(server, call, { input, caller, foreigner, unpermitted, bad: [[{ idProject, idField }, 'idControlType']] })

  await server.as(caller, setTicketData, { idTicket: tickets[3] as number, data: { note: 'Low' } })
  const values = async () =>
    await server.sql<{ value: string }>`
        select value from ticket_value where organization_id = ${organization} and field_id = ${idField} order by ticket_id`
  const stored = await values()
  expect((await server.as(caller, setTicketFieldType, input)).body).toEqual({ Success: 1 })
  expect(await values()).toEqual(stored)
  const field = (await server.as(caller, getTicketFieldList, { idProject })).body.find(({ id }) => id === idField)
  expect(field).toMatchObject({ FieldType: 2, FieldProps: options })
  // From now on it takes its options alone.
  expect((await server.as(caller, setTicketData, { idTicket: tickets[0] as number, data: { note: 'Medium' } })).status).toBe(400)
  const rows = await server.sql`
    select field, before, after from change where organization_id = ${organization} and subject = 'field' order by id`
  expect(rows).toEqual([
    { field: 'Type', before: 'TEXTMULTILINE', after: 'SELECT' },
    { field: 'Options', before: '[]', after: JSON.stringify(options) },
  ])
})

test('words of a field are found from when it becomes a text, and no longer when it becomes something else', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const cost = await makeField(server.db, organization, project, 'cost', 'NUMBER')
  const idTicket = await makeTicket(server.db, organization, project, { title: 'boat' })
  await server.as(caller, setTicketData, { idTicket, data: { cost: '4711', note: 'zebra' } })
  const found = async (Query: string) => (await server.as(caller, searchTickets, { Query })).body.Total
  expect([await found('4711'), await found('zebra')]).toEqual([0, 1])
  for (const [idField, idControlType] of [
    [cost, propertyType.TEXT],
    [project.fields.note, propertyType.SELECT],
  ] as const)
    expect((await server.as(caller, setTicketFieldType, { idProject, idField, idControlType })).status).toBe(200)
  for (const payload of await waiting(server)) await indexField(server.system, payload, quiet)
  expect([await found('4711'), await found('text:4711'), await found('zebra')]).toEqual([1, 1, 0])
})

test('the words of very many tickets are read again by several jobs, one after the other', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const caller = await someone('all')
  const fieldId = await makeField(server.db, organization, project, 'cost', 'NUMBER')
  const ids = await makeTickets(server.db, organization, project, 25, 'boat')
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) select ${organization}, id, ${fieldId}, '4711' from unnest(${ids}::bigint[]) id`
  await server.sql`update field set type_id = ${propertyType.TEXT} where organization_id = ${organization} and id = ${fieldId}`
  const found = async () => (await server.as(caller, searchTickets, { Query: 'text:4711' })).body.Total
  await indexFieldFor(server.db, { organizationId: organization, fieldId }, 0)
  expect(await found()).toBe(20)
  const [rest, ...others] = await waiting(server)
  expect([rest, others]).toEqual([{ organizationId: organization, fieldId, after: ids[19] }, []])
  await indexFieldFor(server.db, rest as JobPayloads['index-field'], 60_000)
  expect(await found()).toBe(25)
  expect(await waiting(server)).toHaveLength(1)
})

async function waiting(server: TestServer) {
  const jobs = await server.sql<{ payload: JobPayloads['index-field'] }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'index-field'`
  return jobs.map(({ payload }) => payload)
}
