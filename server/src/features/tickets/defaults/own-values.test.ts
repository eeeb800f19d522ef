import { setTicketTemplate } from '@tessera/contract/projects/project-config'
import { createNewTicket, getTicketData, getTicketHistory, getTicketList } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('a new ticket gets the values that it is created with, also instead of defaults; with one that does not fit, nothing is created', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const { bug, task } = project.templates
  const create = (data: Record<string, string>) => server.as(caller, createNewTicket, { idProject, idTemplate: bug, Title: 'New', data })
  const valuesOf = async (idTicket = 0) => {
    const { Fields } = (await server.as(caller, getTicketData, { idTicket })).body
    return Object.fromEntries(Fields.map(({ Key, Value }) => [Key, Value]))
  }
  const plain = await create({ note: 'a\r\nb', size: '' })
  expect(await valuesOf(plain.body[0])).toEqual({ note: 'a\nb', size: '' })
  const Defaults = { data: { note: 'Steps', size: 'l' }, Children: [bug, task].map(idTemplate => ({ idTemplate, Title: 'Child' })) }
  expect((await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate: bug, Defaults })).status).toBe(200)
  const [own = 0] = (await create({ size: 's' })).body
  expect(await valuesOf(own)).toEqual({ note: 'Steps', size: 's' })
  const [child] = (await server.as(caller, getTicketList, { idProject, idParent: own })).body
  expect(await valuesOf(child?.id), 'a child of the same type').toEqual({ note: 'Steps', size: 'l' })
  const { Changes } = (await server.as(caller, getTicketHistory, { idTicket: own })).body
  expect(new Set(Changes.map(({ idChangeSet }) => idChangeSet)).size).toBe(1)
  const before = await databaseDigest(server.db)
  expect(await create({ size: 'xxl' })).toMatchObject({ status: 400, body: { fields: [{ path: 'data.size' }] } })
  expect((await create({ absent: '1' })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})
