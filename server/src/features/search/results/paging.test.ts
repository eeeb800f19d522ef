import { trashTicket } from '@tessera/contract/tickets/moving'
import { searchTickets } from '@tessera/contract/tickets/search'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test.each([
  ['boat sort:id'],
  ['boat sort:-created'],
  ['boat sort:title,-id'],
  ['boat sort:note'],
  ['boat sort:-note'],
  ['boat sort:-updated'],
  ['boat'],
  ['boat is:open'],
  ['is:open'],
  [''],
])('pages of "%s" lose no ticket and repeat none while others are made, changed and trashed', async Query => {
  const { caller, make } = await searchWorld(server)
  const made: number[] = []
  for (let index = 0; index < 20; index++) {
    made.push(await make(index % 3 === 0 ? 'boat' : `the boat ${index % 4}`))
    if (index % 2 === 0) await server.as(caller, setTicketData, { idTicket: made[index], data: { note: `n${index % 3}` } })
  }
  const read: number[] = []
  for (let Cursor: string | null | undefined; Cursor !== null; ) {
    const { status, body } = await server.as(caller, searchTickets, { Query, Limit: 3, ...(Cursor && { Cursor }) })
    expect(status).toBe(200)
    const ids = body.Tickets.map(({ id }) => id)
    read.push(...ids)
    Cursor = body.NextCursor
    if (ids[0] !== undefined && made.includes(ids[0])) await server.as(caller, trashTicket, { idTicket: ids[0] })
    if (read.length < 15) await make('a new boat')
  }
  expect(new Set(read).size).toBe(read.length)
  expect(made.filter(id => !read.includes(id))).toEqual([])
})

test('a cursor is for one query, order and project', async () => {
  const { caller, project, make } = await searchWorld(server)
  for (let index = 0; index < 6; index++) await make(`boat ${index}`)
  const ask = async (more: object) => server.as(caller, searchTickets, { Query: 'boat', Limit: 2, ...more })
  const Cursor = (await ask({})).body.NextCursor as string
  expect((await ask({ Cursor })).status).toBe(200)
  expect((await ask({ Cursor, Limit: 3 })).status).toBe(200)
  const idProject = project.projectId
  const [mark, offset, own, id] = JSON.parse(Buffer.from(Cursor, 'base64url').toString())
  const forged = (...rest: unknown[]) => Buffer.from(JSON.stringify([mark, offset, ...rest])).toString('base64url')
  const others = [{ Query: 'boa' }, { Query: 'boat sort:id' }, { idProject }, { Sort: [{ Column: 'ID', Direction: 'asc' }] }]
  for (const other of [...others, { Cursor: forged([], id) }, { Cursor: forged(['x', 'true'], id) }, { Cursor: forged(own, id, 1) }])
    expect(await ask({ Cursor, ...other })).toMatchObject({ status: 400, body: { code: 'invalid' } })
})
