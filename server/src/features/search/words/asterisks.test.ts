import { queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('asterisks find a part of a title or an id, as the filters of a list do', async () => {
  await using server = await startServer()
  const { project, caller, make, titles } = await searchWorld(server)
  const made = [await make('Payment gateway'), await make('100% of_it'), await make('Ошибка оплаты')]
  const last = String(made[2])
  const found = async (Query: string) => (await titles(`${Query} sort:id`)).map(title => title[0]).join('')
  expect(await found('title:*ment*')).toBe('P')
  expect(await found('title:"*nt gate*"')).toBe('P')
  expect(await found('title:*%*,*F_I*')).toBe('1')
  expect(await found('title:*шибк*')).toBe('О')
  expect(await found('-title:*a*')).toBe('1О')
  expect(await found('title:ment')).toBe('')
  expect(await found(`id:*${last}*`)).toBe('О')
  expect(await found('id:*ps-*')).toBe('P1О')
  expect(await found('id:*HID*')).toBe('')
  for (const part of ['ment', '%', 'o', 'P', `${last}`, `s-${last.slice(0, 1)}`, 'OPS', 'x-1', '"']) {
    for (const [name, filter] of [
      ['title', 'Title'],
      ['id', 'Id'],
    ] as const) {
      const list = async (input: object) =>
        (await server.as(caller, queryTickets, { idProject: project.projectId, ...input })).body.Tickets.map(({ id }) => id)
      const Query = `${name}:"*${part.replace('"', '\\"')}*"`
      expect.soft([Query, await list({ Query })]).toEqual([Query, await list({ [filter]: part })])
    }
  }
})
