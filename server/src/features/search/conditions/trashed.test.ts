import { permission } from '@tessera/contract/permissions'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { exportTickets, searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { makeMember, makeUser } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('lists, their groups and pages, boards, exports and views find the same tickets of the trash as the search', async () => {
  await using server = await startServer()
  const { organization, project, caller, make } = await searchWorld(server)
  const { templates, states, projectId: idProject } = project
  const a = await make('a')
  const b = await make('b', { parentId: a, stateId: states.doing, templateId: templates.task })
  await make('c', { stateId: states.done })
  await server.as(caller, trashTicket, { idTicket: b })
  const viewer = await makeUser(server.db, organization)
  await makeMember(server.db, organization, idProject, viewer, [permission.viewTickets])
  for (const who of [caller, await server.signedIn(viewer, organization)])
    for (const [Query, ofCaller, ofViewer] of [
      ['is:trashed', 'b', ''],
      ['title:b', '', ''],
      ['is:trashed or c', 'cb', 'c'],
      ['not is:trashed', 'ca', 'ca'],
      ['-is:open or is:trashed,mine', 'cb', 'c'],
    ] as const) {
      const found = who === caller ? ofCaller : ofViewer
      const rows = async (call: typeof searchTickets | typeof queryTickets) => {
        const { Tickets } = (await server.as(who, call, { Query: `${Query} sort:-title`, idProject })).body
        return Tickets.map(({ Title, Trashed }) => `${Title}${Trashed ?? ''}`).join('')
      }
      const marked = found.replace('b', 'b1')
      expect.soft([Query, await rows(searchTickets), await rows(queryTickets)]).toEqual([Query, marked, marked])
      const file = (await server.as(who, exportTickets, { idProject: String(idProject), Query })).body as unknown as string
      expect.soft([Query, parse(file, { bom: true }).length - 1]).toEqual([Query, found.length])
      const { Columns } = (await server.as(who, queryBoard, { idProject, Group: 'State', Query })).body
      expect.soft([Query, Columns.reduce((sum, { Total }) => sum + Total, 0)]).toEqual([Query, found.length])
    }

  const list = async (input: object) => (await server.as(caller, queryTickets, { idProject, Query: 'is:trashed,leaf', ...input })).body
  // No other ticket has the type and the state of the one in the trash.
  expect((await list({ Group: 'Type' })).Groups?.map(({ Label, Total }) => `${Label} ${Total}`)).toEqual(['Bug 2', 'Task 1'])
  for (const Sort of [[{ Column: 'State', Direction: 'desc' }], [{ Column: 'Created', Direction: 'desc' }], []]) {
    const { Tickets, NextCursor, Total } = await list({ Sort, Limit: 2 })
    const rest = await list({ Sort, Limit: 2, Cursor: NextCursor })
    expect([Total, [...Tickets, ...rest.Tickets].map(({ Title }) => Title).join('')]).toEqual([3, 'cba'])
  }
  expect((await list({ idParent: a })).Tickets).toMatchObject([{ Title: 'b', Trashed: 1, Path: [{ id: a, Title: 'a' }] }])
  const view = { Name: 'Gone', Query: 'is:trashed', Columns: [], Sort: [], Group: '', Layout: 'list', Scope: 'private' }
  expect((await server.as(caller, setView, { idProject, ...view })).status).toBe(200)
  expect((await server.as(caller, getViewList, { idProject, Counts: 1 })).body).toMatchObject([{ Name: 'Gone', Total: 1 }])
})
