import { moveOnBoard, queryBoard } from '@tessera/contract/board'
import { allPermissions } from '@tessera/contract/permissions'
import { trashTicket } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/factories.ts'
import { peopledProject } from '../../../../test/peopled-project.ts'
import { startServer } from '../../../../test/server.ts'

test('a board by assignee or field keeps the order that people gave, page by page, without what is in the trash', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions, { fullName: 'Ada' })
  const bob = await someone(allPermissions, { fullName: 'Bob' })
  const made = []
  for (const title of 'abcdefg') made.push(await makeTicket(server.db, organization, project, { title }))
  const [a, b, c, d, e, f, g] = made as [number, number, number, number, number, number, number]
  const board = async (input: object) => (await server.as(caller, queryBoard, { idProject, ...input })).body.Columns
  const titles = async (input: object) =>
    Object.fromEntries((await board(input)).map(({ Label, Tickets }) => [Label, Tickets.map(({ Title }) => Title).join('')]))
  const move = (idTicket: number, input: object) => server.as(caller, moveOnBoard, { idTicket, ...input })
  const roles = [project.roles.assignee, project.roles.reviewer]
  const assign = (id: number, ...people: number[]) =>
    move(id, { TicketAssign: people.flatMap(idUser => roles.map(idRole => ({ idUser, idRole, Enabled: 1 }))), data: { size: 'l' } })
  for (const id of [a, b, c, e]) await assign(id, caller.idUser)
  await assign(f, caller.idUser, bob.idUser)
  const byPerson = { Group: 'Assignee' }
  expect(await titles(byPerson)).toEqual({ '': 'gd', Ada: 'fecba', Bob: 'f' })
  // Behind a ticket of another column, in front of all, between two.
  await move(a, { After: g })
  await move(d, { After: null })
  await move(b, { After: e })
  const all = { '': 'dg', Ada: 'afebc', Bob: 'f' }
  expect(await titles(byPerson)).toEqual(all)
  // The same tickets, found by a filter.
  expect(await titles({ ...byPerson, Phases: [1, 2, 3] })).toEqual(all)
  expect(await titles({ Group: 'size' })).toEqual({ '': 'dg', Small: '', Large: 'afebc' })

  const pages = async (input: object) => {
    const read = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const [column] = await board({ ...input, Limit: 2, ...(Cursor && { Cursor }) })
      read.push(`${column?.Tickets.map(({ Title }) => Title).join('')} ${column?.Total}`)
      Cursor = column?.NextCursor ?? null
    }
    return read
  }
  expect(await pages({ ...byPerson, Value: caller.idUser })).toEqual(['af 5', 'eb 5', 'c 5'])
  expect(await pages({ Group: 'size', Value: 'l' })).toEqual(['af 5', 'eb 5', 'c 5'])
  expect(await pages({ ...byPerson, Value: '' })).toEqual(['dg 2'])

  await server.as(caller, trashTicket, { idTicket: f })
  await server.as(caller, trashTicket, { idTicket: d })
  expect((await board(byPerson)).map(({ Label, Total }) => [Label, Total])).toEqual([
    ['', 1],
    ['Ada', 4],
  ])
  expect(await titles({ Group: 'size' })).toEqual({ '': 'g', Small: '', Large: 'aebc' })
})
