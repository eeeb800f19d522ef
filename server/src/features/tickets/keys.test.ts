import { findTickets } from '@tessera/contract/tickets/links'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketByKey, getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, startServer } from '../../../test/servers/server.ts'

test('an imported ticket shows its original key, is found by it in every filter, and an address with the key leads to it', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, foreigner } = await peopledProject(server, { shortCode: 'OPS' })
  const ann = await someone([1, 3], { fullName: 'Ann Lee' })
  const blind = await someone([2, 3])
  const other = await makeProject(server.db, organization, { shortCode: 'OTH' })
  const outsider = await server.signedIn(await makeUser(server.db, organization), organization)
  await makeMember(server.db, organization, other.projectId, outsider.idUser, [1])
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Imported' })
  const plain = await makeTicket(server.db, organization, project, { title: 'Made here' })
  await server.sql`update ticket set external_id = 'TIMOB-28560', created_by = ${ann.idUser} where organization_id = ${organization} and id = ${idTicket}`
  expect((await server.as(ann, getTicketData, { idTicket })).body).toMatchObject({ OriginalKey: 'TIMOB-28560', CreatedBy: 'Ann Lee' })
  expect((await server.as(ann, getTicketData, { idTicket: plain })).body).not.toHaveProperty('OriginalKey')

  const ids = (tickets: { id: number }[]) => tickets.map(({ id }) => id)
  const queried = async (filter: object) => ids((await server.as(ann, queryTickets, { idProject, ...filter })).body.Tickets)
  for (const Id of ['TIMOB-28560', 'timob-285', 'mob-2', `OPS-${idTicket}`]) expect(await queried({ Id }), Id).toEqual([idTicket])
  expect(await queried({ Title: 'timob-28560' })).toEqual([idTicket])
  expect(await queried({ Id: 'TIMOB-99999' })).toEqual([])
  expect(ids((await server.as(ann, findTickets, { idTicket: plain, Text: 'timob-28560' })).body)).toEqual([idTicket])

  const searched = async (Query: string) => ids((await server.as(ann, searchTickets, { Query })).body.Tickets)
  for (const query of ['TIMOB-28560', 'timob-28560', 'id:timob-28560']) expect(await searched(query), query).toEqual([idTicket])

  const keyed = async (caller: Caller, Key: string) => (await server.as(caller, getTicketByKey, { Key })).body.idTicket
  for (const key of ['TIMOB-28560', ' timob-28560 ', `OPS-${idTicket}`, `ops-${idTicket}`])
    expect(await keyed(ann, key), key).toBe(idTicket)
  for (const key of ['', 'TIMOB-2856', `OTH-${idTicket}`, String(idTicket), `x'; --`]) expect(await keyed(ann, key), key).toBeNull()
  for (const caller of [blind, outsider, foreigner]) expect(await keyed(caller, 'TIMOB-28560')).toBeNull()
  expect(await server.as(null, getTicketByKey, { Key: 'TIMOB-28560' })).toMatchObject({ status: 403, body: { auth: 0 } })
  expect((await server.as(ann, getTicketByKey, { Key: 'x'.repeat(251) })).status).toBe(400)

  const browse = (key: string, caller?: Caller) => server.app.inject({ url: `/browse/${key}`, ...(caller && { cookies: caller.cookies }) })
  for (const key of ['TIMOB-28560', 'timob-28560', `OPS-${idTicket}`])
    expect(await browse(key, ann), key).toMatchObject({ statusCode: 302, headers: { location: `/view-ticket/${idTicket}` } })
  // The page as for any other address: nobody learns whether there is such a ticket.
  const without = (page: { body: string }) => page.body.replaceAll(/[0-9a-f]{32}/g, '')
  for (const caller of [undefined, blind, outsider, foreigner]) {
    const [known, unknown] = [await browse('TIMOB-28560', caller), await browse('NONE-1', caller)]
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200])
    expect(without(known)).toBe(without(unknown))
  }
  expect(await browse('TIMOB%00', ann)).toMatchObject({ statusCode: 200 })
})
