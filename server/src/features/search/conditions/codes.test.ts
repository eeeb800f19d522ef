import { setProjectData } from '@tessera/contract/projects/projects'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { suggestSearch } from '@tessera/contract/tickets/search'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test("a word that is a project's code finds its tickets too, those with the word in a text first", async () => {
  await using server = await startServer()
  const { organization, user, project, hidden, caller, make, search, titles } = await searchWorld(server)
  const other = await makeProject(server.db, organization, { shortCode: 'TITAN', title: 'Other' })
  await makeMember(server.db, organization, other.projectId, user, 'all')
  await makeTicket(server.db, organization, other, { title: 'Payment of titans' })
  await makeTicket(server.db, organization, other, { title: 'Ask the ops people' })
  await makeTicket(server.db, organization, hidden, { title: 'Payment elsewhere' })
  const said = await make('A remark')
  await server.as(caller, setTicketComment, { idTicket: said, Comment: 'payment: ops agrees' })
  await make('Payment fails')
  await make('Newest')
  expect(await titles('ops payment')).toEqual(['Payment fails', 'A remark'])
  expect(await titles('payment OPS -fails')).toEqual(['A remark'])
  expect(await titles('Ops')).toEqual(['Ask the ops people', 'A remark', 'Newest', 'Payment fails'])
  for (const either of ['ops or titan', '(ops or titan) is:open'])
    expect(await titles(either)).toEqual(['Ask the ops people', 'Payment of titans', 'A remark', 'Newest', 'Payment fails'])
  expect(await titles('"ops" sort:title')).toEqual(['A remark', 'Ask the ops people'])
  expect(await titles('is:open -ops')).toEqual(['Payment of titans'])
  expect(await titles('ops,titan')).toEqual([])
  const ofOps = ['A remark', 'Newest', 'Payment fails']
  expect(await titles('ops is:open sort:title')).toEqual([ofOps[0], 'Ask the ops people', ...ofOps.slice(1)])
  expect(await titles('(ops or titans) -ask sort:title')).toEqual([...ofOps, 'Payment of titans'])
  // It has no typing errors, although `titans` is one letter away; a word beside it may have some.
  expect(await search('titan')).toMatchObject({ Total: 2 })
  expect(await search('titan')).not.toHaveProperty('Also')
  expect(await search('ops paymnt')).toMatchObject({ Also: ['payment'], Tickets: [{ Title: 'Payment fails' }, { Title: 'A remark' }] })
  // Nothing tells the code of a project that the caller may not see from one that does not exist.
  expect(await search('hid')).toEqual(await search('hix'))
  const list = async (Query: string) =>
    (await server.as(caller, queryTickets, { idProject: project.projectId, Query })).body.Tickets.map(({ Title }) => Title)
  expect([await list('ops payment'), await list('titan')]).toEqual([['Payment fails', 'A remark'], []])
  await server.as(caller, setProjectData, { idProject: project.projectId, ShortCode: 'OPX' })
  expect([await titles('opx payment'), await titles('ops payment')]).toEqual([['Payment fails', 'A remark'], ['A remark']])
})

test('a project with the code NONE is suggested in quotation marks, so that it is found', async () => {
  await using server = await startServer()
  const { organization, user, caller, titles } = await searchWorld(server)
  const none = await makeProject(server.db, organization, { shortCode: 'NONE', title: 'Nonsense' })
  await makeMember(server.db, organization, none.projectId, user, 'all')
  await makeTicket(server.db, organization, none, { title: 'boat' })
  const Query = 'project:non'
  const [choice] = (await server.as(caller, suggestSearch, { Query, Caret: Query.length })).body
  expect(choice).toMatchObject({ Text: '"NONE"', Label: 'Nonsense' })
  expect(await titles(`project:${choice?.Text}`)).toEqual(['boat'])
})
