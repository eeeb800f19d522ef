import { setProjectData } from '@tessera/contract/projects/projects'
import { getTicketLinks, removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('no link to or from an archived project can be added; an existing one can be removed at the other end', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const caller = await someone('all', { admin: true })
  const other = await makeProject(server.db, organization)
  await makeMember(server.db, organization, other.projectId, caller.idUser, 'all')
  const [open, old] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, other)]
  const link = (idTicket: number, idOther: number, Kind: 'blocks' | 'relates') =>
    server.as(caller, setTicketLink, { idTicket, idOther, Kind })
  const before = (await link(old, open, 'blocks')).body.idLink
  await server.as(caller, setProjectData, { idProject: other.projectId, Archived: 1 })

  const digest = await databaseDigest(server.db)
  const refused = (error: string) => ({ status: 422, body: { code: 'rule', error } })
  expect(await link(open, old, 'relates')).toMatchObject(refused('The project of the other ticket is archived and takes no changes'))
  expect(await link(old, open, 'relates')).toMatchObject(refused('This project is archived and takes no changes'))
  expect(await databaseDigest(server.db)).toBe(digest)
  // Or the open ticket would stay blocked forever.
  expect((await server.as(caller, removeTicketLink, { idLink: before })).status).toBe(200)
  expect((await server.as(caller, getTicketLinks, { idTicket: open })).body).toEqual([])
  expect((await server.as(caller, getTicketData, { idTicket: open })).body.Blocked).toBe(0)

  // The same with a ticket in the trash.
  const third = await makeTicket(server.db, organization, project)
  const { idLink } = (await link(open, third, 'relates')).body
  await server.as(caller, trashTicket, { idTicket: open })
  expect((await server.as(caller, removeTicketLink, { idLink })).status).toBe(200)
})
