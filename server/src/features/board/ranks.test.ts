import { allPermissions } from '@tessera/contract/permissions'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { purgeTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const make = async (titles: string) => {
    const ids = []
    for (const title of titles) ids.push(await makeTicket(server.db, organization, project, { title }))
    return ids
  }
  const firstColumn = async (input: object) =>
    (await server.as(caller, queryBoard, { idProject, Group: 'State', ...input })).body.Columns[0]
  /** The titles of the first column, read in two pages. */
  const order = async () => {
    const first = await firstColumn({ Limit: 2 })
    const rest = await firstColumn({ Limit: 100, Value: first?.Value, Cursor: first?.NextCursor })
    return [...(first?.Tickets ?? []), ...(rest?.Tickets ?? [])].map(({ Title }) => Title)
  }
  const move = (idTicket: number | undefined, After: number | null | undefined) => server.as(caller, moveOnBoard, { idTicket, After })
  const longestRank = async () =>
    (await server.sql<{ digits: number }>`select max(scale(rank)) as digits from ticket where organization_id = ${organization}`)[0]?.digits
  const purge = async (idTicket: number | undefined) => {
    await server.as(caller, trashTicket, { idTicket })
    expect((await server.as(caller, purgeTicket, { idTicket })).status).toBe(200)
  }
  return { make, order, move, purge, longestRank }
}

test('dropping at the same place again and again keeps ranks short and the order right', async () => {
  const { make, order, move, longestRank } = await setUp()
  const [a, ...others] = await make('abcd')
  await move(a, null)
  let expected = ['a', 'd', 'c', 'b']
  for (let round = 0; round < 120; round++) {
    const index = round % 3
    await move(others[index], a)
    const title = 'bcd'[index] as string
    expected = ['a', title, ...expected.filter(each => each !== 'a' && each !== title)]
  }
  expect(await order()).toEqual(expected)
  expect(await longestRank()).toBeLessThanOrEqual(100)
})

test('new tickets come before all that people put first, however often they did', async () => {
  const { make, order, move, longestRank } = await setUp()
  const ids = await make('abc')
  for (let round = 0; round < 120; round++) await move(ids[round % 3], null)
  expect(await longestRank()).toBeLessThanOrEqual(100)
  await make('de')
  expect(await order()).toEqual(['e', 'd', 'c', 'b', 'a'])
})

test('they do so also after the newest ones were purged', async () => {
  const { make, order, move, purge } = await setUp()
  const [a, b, c, d] = await make('abcd')
  await move(a, null)
  await purge(d)
  for (let round = 0; round < 3; round++) for (const ticket of [c, b, a]) await move(ticket, null)
  expect(await order()).toEqual(['a', 'b', 'c'])
  await make('e')
  expect(await order()).toEqual(['e', 'a', 'b', 'c'])
})
