import { trashTicket } from '@tessera/contract/tickets/moving'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('a list is grouped by state, type, person or a SELECT field, with the number of tickets in each group', async () => {
  const { project, user, caller, make } = await searchWorld(server)
  const { states, templates, roles, projectId: idProject } = project
  const a = await make('a boat')
  const b = await make('b boat', { parentId: a, stateId: states.doing, templateId: templates.task })
  const c = await make('c boat', { stateId: states.done })
  await make('d ship', { stateId: states.doing })
  const gone = await make('e boat')
  await server.as(caller, trashTicket, { idTicket: gone })
  await server.as(caller, setTicketData, { idTicket: a, data: { size: 'l' } })
  await server.as(caller, setTicketData, { idTicket: b, data: { size: 's' } })
  await server.as(caller, setTicketData, { idTicket: c, TicketAssign: [{ idUser: user, idRole: roles.assignee, Enabled: 1 }] })
  await server.as(caller, setTicketData, { idTicket: c, TicketAssign: [{ idUser: user, idRole: roles.reviewer, Enabled: 1 }] })

  const all = { Phases: [1, 2, 3] as [1, 2, 3] }
  const list = async (input: object) => (await server.as(caller, queryTickets, { idProject, ...input })).body
  /** Rows under their headings, also when they are read two at a time. */
  const shown = async (input: object) => {
    const whole = await list(input)
    const rows: typeof whole.Tickets = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const page = await list({ ...input, Limit: 2, ...(Cursor && { Cursor }) })
      expect(page.Groups).toEqual(whole.Groups)
      rows.push(...page.Tickets)
      Cursor = page.NextCursor
    }
    expect(rows).toEqual(whole.Tickets)
    expect(whole.Groups?.reduce((sum, { Total }) => sum + Total, 0)).toBe(whole.Total)
    return whole.Groups?.map(({ Value, Label, Total }) => [Label, Total, rows.filter(row => row.Group === Value).map(row => row.Title[0])])
  }
  for (const filter of [all, { Query: 'boat or ship' }]) {
    expect.soft(await shown({ ...filter, Group: 'State' })).toEqual([
      ['Open', 1, ['a']],
      ['Doing', 2, ['d', 'b']],
      ['Done', 1, ['c']],
    ])
    expect.soft(await shown({ ...filter, Group: 'Type' })).toEqual([
      ['Bug', 3, ['d', 'c', 'a']],
      ['Task', 1, ['b']],
    ])
    expect.soft(await shown({ ...filter, Group: 'Assignee' })).toEqual([
      ['Ada Lovelace', 1, ['c']],
      ['', 3, ['d', 'b', 'a']],
    ])
    expect.soft(await shown({ ...filter, Group: 'size', Sort: [{ Column: 'ID', Direction: 'asc' }] })).toEqual([
      ['Small', 1, ['b']],
      ['Large', 1, ['a']],
      ['', 2, ['c', 'd']],
    ])
    // Within each group in the list's own order.
    expect.soft(await shown({ ...filter, Group: 'State', Sort: [{ Column: 'Created', Direction: 'asc' }] })).toEqual([
      ['Open', 1, ['a']],
      ['Doing', 2, ['b', 'd']],
      ['Done', 1, ['c']],
    ])
    // The direction of the group's own column counts.
    const Sort = [{ Column: 'State', Direction: 'desc' }]
    expect.soft((await shown({ ...filter, Group: 'State', Sort }))?.map(([label]) => label)).toEqual(['Done', 'Doing', 'Open'])
  }
  expect(await shown({ Query: 'boat sort:title', Group: 'State' })).toEqual([
    ['Open', 1, ['a']],
    ['Doing', 1, ['b']],
    ['Done', 1, ['c']],
  ])
  // Roots, and one ticket's children.
  expect((await shown({ Group: 'State' }))?.map(([, total]) => total)).toEqual([1, 1, 1])
  expect(await shown({ Group: 'Type', idParent: a })).toEqual([['Task', 1, ['b']]])
  expect((await list({ Group: 'State', ...all })).Groups?.map(({ Value, Phase }) => [Value, Phase])).toEqual([
    [states.open, 1],
    [states.doing, 2],
    [states.done, 3],
  ])
  expect(await shown({ Title: 'nothing', Group: 'size' })).toEqual([])
  expect(await list(all)).not.toHaveProperty('Groups')
  for (const Group of ['note', 'Updated', 'nothing', 'a b'])
    expect((await server.as(caller, queryTickets, { idProject, Group })).status).toBe(400)
})

test('groups by person have the order of the rows, also for two people with the same name', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const [ann, emile, zoe, other] = [
    await someone('all', { fullName: 'Ann' }),
    await someone('all', { fullName: 'Émile' }),
    await someone('all', { fullName: 'Zoe' }),
    await someone('all', { fullName: 'Zoe' }),
  ]
  for (const { idUser } of [zoe, other, emile, ann, zoe, other]) {
    const idTicket = await makeTicket(server.db, organization, project)
    await server.as(ann, setTicketData, { idTicket, TicketAssign: [{ idUser, idRole: project.roles.assignee, Enabled: 1 }] })
  }
  const people = [ann, emile, zoe, other].map(({ idUser }) => idUser)
  for (const [Direction, order] of [
    ['asc', people],
    ['desc', people.toReversed()],
  ] as const) {
    const Sort = [{ Column: 'Assignees', Direction }]
    const { Groups, Tickets } = (await server.as(ann, queryTickets, { idProject, Group: 'Assignee', Query: 'is:open', Sort })).body
    expect(Groups?.map(({ Value }) => Value)).toEqual(order)
    expect([...new Set(Tickets.map(({ Group }) => Group))]).toEqual(order)
    expect(Tickets.map(({ Group }) => order.indexOf(Group as number))).toEqual(
      Tickets.map(({ Group }) => order.indexOf(Group as number)).sort(),
    )
  }
})

test('the children of several tickets are answered as one list', async () => {
  const { organization, project, caller, make } = await searchWorld(server)
  const idProject = project.projectId
  const [a, b] = [await make('a'), await make('b')]
  const [c, d] = [await make('c', { parentId: a }), await make('d', { parentId: b })]
  const deep = await make('deep', { parentId: c })
  const other = await makeProject(server.db, organization)
  const far = await makeTicket(server.db, organization, other, { title: 'far' })
  await makeTicket(server.db, organization, other, { title: 'under far', parentId: far })
  const list = async (input: object) => (await server.as(caller, queryTickets, { idProject, ...input })).body
  const ids = async (input: object) => (await list(input)).Tickets.map(({ id, idParent }) => [id, idParent])
  expect(await ids({ idParents: [a, b, far, 999_999] })).toEqual([
    [d, b],
    [c, a],
  ])
  expect(await ids({ idParents: [a, b], Sort: [{ Column: 'ID', Direction: 'asc' }] })).toEqual([
    [c, a],
    [d, b],
  ])
  expect(await ids({ idParents: [c] })).toEqual([[deep, c]])
  const first = await list({ idParents: [a, b], Limit: 1 })
  expect([first.Total, first.Tickets[0]?.id]).toEqual([2, d])
  expect((await list({ idParents: [a, b], Limit: 1, Cursor: first.NextCursor })).Tickets[0]?.id).toBe(c)
})
