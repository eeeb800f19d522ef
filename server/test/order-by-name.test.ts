import { allPermissions } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getProjectList } from '@tessera/contract/projects/projects'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from './fixtures/factories.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { startServer } from './servers/server.ts'

const inOrder = ['adam', 'Äpfel', 'Birne', 'éclair', 'Łódź', 'Zebra', 'ежи', 'Ёлка', 'Яна']
const shuffled = ['Яна', 'Zebra', 'Äpfel', 'Łódź', 'Ёлка', 'adam', 'ежи', 'éclair', 'Birne']

test('lists by name disregard case and accents', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions, { admin: true, fullName: 'zz' })
  for (const name of shuffled) {
    await someone(allPermissions, { fullName: name })
    await makeProject(server.db, organization, { title: name })
    await makeTicket(server.db, organization, project, { title: name })
    await server.sql`
      insert into label (organization_id, project_id, name, color) values (${organization}, ${idProject}, ${name}, '#c0ffee')`
  }
  const ordered = (names: string[]) => names.filter(name => inOrder.includes(name))
  const [idTicket = 0] = (await server.as(caller, queryTickets, { idProject })).body.Tickets.map(({ id }) => id)
  expect(ordered((await server.as(caller, getLabelList, { idProject })).body.map(({ Label }) => Label))).toEqual(inOrder)
  expect(ordered((await server.as(caller, getProjectList, {})).body.map(({ Title }) => Title))).toEqual(inOrder)
  expect(ordered((await server.as(caller, getProjectUserList, { idTicket })).body.map(({ text }) => text))).toEqual(inOrder)
  expect((await server.as(caller, queryTickets, { idProject, Query: 'sort:title' })).body.Tickets.map(({ Title }) => Title)).toEqual(
    inOrder,
  )
})
