import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('signs without letters or digits are searched literally in titles, and never match everything', async () => {
  await using server = await startServer()
  const { project, caller, make, titles } = await searchWorld(server)
  const plain = await make('fish and chips')
  await make('fish & chips')
  await make('100%')
  await make('snow ☃')
  await server.as(caller, setTicketComment, { idTicket: plain, Comment: 'really!!! ☃ & 5%' })
  await server.as(caller, setTicketData, { idTicket: plain, data: { note: 'why?' } })
  for (const [query, found] of [
    ['%', ['100%']],
    ['"%"', ['100%']],
    ['title:%', ['100%']],
    ['% or &', ['100%', 'fish & chips']],
    ['fish & chips', ['fish & chips', 'fish and chips']],
    ['& %', []],
    ['fish ☃', ['fish and chips']],
    ['really!!! – fish', ['fish and chips']],
    ['"fish & chips"', ['fish & chips']],
    ['fish -&', ['fish and chips']],
    ['(fish or -) chips', ['fish & chips', 'fish and chips']],
    ['☃', ['snow ☃', 'fish and chips']],
    ['_', []],
    ['!', []],
    ['-', []],
    ['title:""', []],
    ['title:"!!!",fish', ['fish & chips', 'fish and chips']],
    ['text:?', []],
    ['comment:!', []],
    ['comment:"!!!"', []],
    ['comment:"really!!!"', ['fish and chips']],
  ] as const)
    expect.soft([query, await titles(`${query} sort:-id`)]).toEqual([query, found])
  const { body } = await server.as(caller, searchTickets, { Query: '%' })
  expect(body.Tickets.map(({ Title, Snippet }) => [Title, Snippet])).toEqual([['100%', undefined]])
  const preview = await server.as(caller, previewBulkChange, { idProject: project.projectId, Query: '!', Change: { Watch: 1 } })
  expect(preview.body.Total).toBe(0)
  expect((await titles('')).length).toBe(4)
})
