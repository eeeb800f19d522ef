import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketList, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from './fixtures/factories.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { startServer } from './servers/server.ts'

test("a person's third costly call waits, other calls and other people do not, and rights are read again after the wait", async () => {
  await using server = await startServer()
  const { organization, idProject, project, someone } = await peopledProject(server)
  await makeTicket(server.db, organization, project)
  const [ann, bob] = [await someone([1]), await someone([1])]
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = turns.map(({ promise }) => server.system.inTurn(ann.idUser, () => promise))

  let answered = 0
  const waiting = [1, 2].map(async () => {
    const { status } = await server.as(ann, searchTickets, { Query: 'ticket' })
    answered++
    return status
  })
  const list = server.as(ann, getTicketList, { idProject })
  expect((await server.as(ann, queryTickets, { idProject })).status).toBe(200)
  expect((await server.as(bob, searchTickets, { Query: 'ticket' })).status).toBe(200)
  expect(answered).toBe(0)
  await server.db
    .deleteFrom('project_member')
    .where('organization_id', '=', organization)
    .where('project_id', '=', idProject)
    .where('user_id', '=', ann.idUser)
    .execute()
  for (const { resolve } of turns) resolve()
  await Promise.all(held)
  expect(await Promise.all(waiting)).toEqual([200, 200])
  expect((await list).status).toBe(404)
})
