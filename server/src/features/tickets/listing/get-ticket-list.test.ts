import { limits } from '@tessera/contract/limits'
import { createNewTicket, getTicketData, getTicketList, queryTickets, type TicketListItem } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeAssignment, makeProject, makeTicket, makeTickets } from '../../../../test/fixtures/factories.ts'
import { digest, refusesStrangers, ticketsOfPeople, unknownId } from '../../../../test/fixtures/worlds/tickets-of-people.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { poolOf } from '../../../db/connections/connect.ts'

const server = await serverOfFile()

test('get-ticket-list: roots and children, the newest first, with the counts of direct children [3.7] [7.19]', async () => {
  const { organization, project, idProject, ann, stranger } = await ticketsOfPeople(server, [1])
  const first = await makeTicket(server.db, organization, project, { title: 'First' })
  const second = await makeTicket(server.db, organization, project, { title: 'Second', templateId: project.templates.task })
  const child = await makeTicket(server.db, organization, project, { parentId: first, stateId: project.states.doing, title: 'Child' })
  await makeTicket(server.db, organization, project, { parentId: first, stateId: project.states.done })
  await makeTicket(server.db, organization, project, { parentId: child })
  await makeAssignment(server.db, organization, project, first, ann.idUser, 'reviewer')

  const roots = await server.as(ann, getTicketList, { idProject })
  expect(roots.body).toEqual([
    {
      id: second,
      pcode: 'APO',
      Type: 'Task',
      Phase: 1,
      State: 'Open',
      Title: 'Second',
      UserAssigned: 0,
      SubordinateProposedCount: 0,
      SubordinateActiveCount: 0,
      SubordinateInactiveCount: 0,
      idParent: null,
      Labels: [],
    },
    {
      id: first,
      pcode: 'APO',
      Type: 'Bug',
      Phase: 1,
      State: 'Open',
      Title: 'First',
      UserAssigned: 1,
      SubordinateProposedCount: 0,
      SubordinateActiveCount: 1,
      SubordinateInactiveCount: 1,
      idParent: null,
      Labels: [],
    },
  ])
  const children = (await server.as(ann, getTicketList, { idProject, idParent: first })).body as TicketListItem[]
  expect(children.map(({ Title, Phase, SubordinateProposedCount }) => [Title, Phase, SubordinateProposedCount])).toContainEqual([
    'Child',
    2,
    1,
  ])
  expect(children).toHaveLength(2)
  expect((await server.as(ann, getTicketList, { idProject, idParent: second })).body).toEqual([])
  expect((await server.as(ann, getTicketList, { idProject, idParent: unknownId })).status).toBe(404)
  await refusesStrangers(server, stranger, getTicketList, { idProject }, { idProject: unknownId })
  expect(await server.as(ann, getTicketList, { idProject: '1' })).toMatchObject({ status: 400, body: { fields: [{ path: 'idProject' }] } })
})

test('lists return every title unchanged', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server)
  const titles = [
    '"quoted" \\ back',
    'a\u001fb\u0001c',
    'line\nbreak\u2028',
    'Größe 東京 🚀',
    '\ud83d half',
    "'; drop table ticket",
    'x'.repeat(255),
  ]
  for (const title of titles) await makeTicket(server.db, organization, project, { title: title.toWellFormed() })
  const expected = titles.map(title => title.toWellFormed()).reverse()
  expect((await server.as(ann, getTicketList, { idProject })).body.map(({ Title }) => Title)).toEqual(expected)
  expect((await server.as(ann, queryTickets, { idProject })).body.Tickets.map(({ Title }) => Title)).toEqual(expected)
})

test('a long list uses its own connection, so no short read waits behind it', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server, [1])
  const [idTicket = 0] = await makeTickets(server.db, organization, project, limits.pageSizeMax + 1, 'many')
  const pool = poolOf(server.db)
  using taken = new DisposableStack()
  for (let count = 0; count < pool.options.max; count++) taken.adopt(await pool.connect(), client => client.release())
  const list = server.as(ann, getTicketList, { idProject })
  await expect.poll(() => pool.waitingCount).toBe(1)
  expect((await server.as(ann, getTicketList, { idProject, idParent: idTicket })).body).toEqual([])
  expect((await server.as(ann, getTicketData, { idTicket })).status).toBe(200)
  expect((await server.as(ann, queryTickets, { idProject })).status).toBe(200)
  taken.dispose()
  expect((await list).body).toHaveLength(limits.pageSizeMax + 1)
})

test('a parent of another project is not found', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server)
  const other = await makeProject(server.db, organization)
  const foreign = await makeTicket(server.db, organization, other)
  await makeTicket(server.db, organization, project)
  expect((await server.as(ann, getTicketList, { idProject, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, queryTickets, { idProject, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, queryTickets, { idProject, idParent: foreign, Title: 'x' })).status).toBe(404)
  const before = await digest(server, organization)
  const make = { idProject, idTemplate: project.templates.bug, Title: 'x' }
  expect((await server.as(ann, createNewTicket, { ...make, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, createNewTicket, { ...make, idTemplate: other.templates.bug })).status).toBe(404)
  expect(await digest(server, organization)).toBe(before)
})
