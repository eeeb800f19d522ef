import { allPermissions, permission } from '@tessera/contract/permissions'
import { setLabel } from '@tessera/contract/projects/labels'
import { createNewState, deleteTicketStates } from '@tessera/contract/projects/project-config'
import { setProjectData } from '@tessera/contract/projects/projects'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { moveTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeProject, makeTicket } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const caller = await someone(allPermissions, { fullName: 'Ada' })
  const make = async (titles: string) => {
    const ids = []
    for (const title of titles) ids.push(await makeTicket(server.db, organization, project, { title }))
    return ids
  }
  const board = async (input: object = {}) => (await server.as(caller, queryBoard, { idProject, Group: 'State', ...input })).body.Columns
  const titles = async (input: object = {}) =>
    Object.fromEntries((await board(input)).map(({ Label, Tickets }) => [Label, Tickets.map(({ Title }) => Title).join('')]))
  const move = (idTicket: number | undefined, input: object) => server.as(caller, moveOnBoard, { idTicket, ...input })
  return { ...made, caller, make, board, titles, move }
}

test('the board has a column for each state, option or person, and keeps the order that people gave it', async () => {
  const { project, idProject, caller, someone, foreigner, make, board, titles, move } = await setUp()
  const { doing, done, open } = project.states
  const [a, b, c, d] = await make('abcd')
  expect(await titles()).toEqual({ Open: 'dcba', Doing: '', Done: '' })
  expect((await board()).map(({ Value, Phase, Total, NextCursor }) => [Value, Phase, Total, NextCursor])).toEqual([
    [open, 1, 4, null],
    [doing, 2, 0, null],
    [done, 3, 0, null],
  ])

  expect((await move(d, { After: b })).body).toEqual({ Success: 1, Version: 1 })
  expect(await titles()).toMatchObject({ Open: 'cbda' })
  await move(a, { After: null })
  expect(await titles()).toMatchObject({ Open: 'acbd' })
  expect((await move(c, { State: doing, After: null })).body).toMatchObject({ Success: 1, Version: 2, States: expect.any(Array) })
  await move(b, { State: doing, After: c })
  await move(a, { State: doing, After: c })
  expect(await titles()).toEqual({ Open: 'd', Doing: 'cab', Done: '' })
  const [e] = await make('e')
  expect(await titles()).toMatchObject({ Open: 'ed' })
  await server.as(caller, setTicketData, { idTicket: e, State: doing })

  const [, first] = await board({ Limit: 2 })
  expect([first?.Total, first?.Tickets.length]).toEqual([4, 2])
  const [second] = await board({ Limit: 2, Value: doing, Cursor: first?.NextCursor })
  expect(
    [...(first?.Tickets ?? []), ...(second?.Tickets ?? [])]
      .map(({ Title }) => Title)
      .sort()
      .join(''),
  ).toBe('abce')
  expect(second?.NextCursor).toBe(null)
  expect((await titles({ Query: '-title:a' })).Doing).not.toContain('a')

  await move(a, { data: { size: 'l' }, After: null })
  await move(b, { TicketAssign: [{ idUser: caller.idUser, idRole: project.roles.assignee, Enabled: 1 }] })
  expect(await titles({ Group: 'size' })).toMatchObject({ Large: 'a', Small: '' })
  expect(await titles({ Group: 'Assignee' })).toMatchObject({ Ada: 'b' })
  expect((await server.as(caller, queryBoard, { idProject, Group: 'note' })).status).toBe(400)

  // Refused as by hand, and then nothing has moved.
  await server.sql`insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select organization_id, id, ${doing}, ${done} from project where organization_id = ${caller.orgid} and id = ${idProject}`
  const before = await titles()
  expect((await move(a, { State: open, After: d })).status).toBe(409)
  expect((await move(a, { After: 999_999 })).status).toBe(404)
  expect(await titles()).toEqual(before)
  const viewer = await someone(allBut(permission.changeState))
  expect(await server.as(viewer, moveOnBoard, { idTicket: a, State: done })).toMatchObject({ status: 422, body: { needs: 'Change state' } })
  const unpermitted = await someone(allBut(permission.editTickets))
  await expectRefusals(server, moveOnBoard, {
    input: { idTicket: a, After: null },
    caller,
    foreigner,
    unpermitted,
    bad: [[{ idTicket: a, After: a }, 'After']],
  })
  await expectRefusals(server, queryBoard, { input: { idProject, Group: 'State' }, caller, foreigner })
})

/** `npm run torture:board` makes more. */
const rounds = Number(process.env.TORTURE_ROUNDS ?? 10)

test('two people who move many tickets between columns and lanes at once see one order, in which nothing is lost and no two tickets stand in the same place', async () => {
  const { make, board, titles, caller, project, idProject, someone } = await setUp()
  const other = await someone(allPermissions)
  const { idLabel } = (await server.as(caller, setLabel, { idProject, Label: 'lane' })).body
  const letters = 'abcdefghij'
  const ids = await make(letters)
  const states = [project.states.open, project.states.doing, project.states.done]
  const pick = (seed: number, from: readonly number[]) => from[seed % from.length] as number
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const [idTicket, After] = [pick(round * 7 + n * 3, ids), pick(round * 5 + n * 7 + 1, ids)]
        const place = idTicket === After ? { After: null } : { After }
        const Enabled = (round % 2) as 0 | 1
        const assignment = { idUser: caller.idUser, idRole: project.roles.assignee, Enabled }
        const lanes = n % 3 === 0 ? { Labels: [{ idLabel, Enabled }], TicketAssign: [assignment] } : {}
        return server.as(n % 2 === 0 ? caller : other, moveOnBoard, { idTicket, State: pick(round + n, states), ...lanes, ...place })
      }),
    )
    expect(answers.map(({ status }) => status).filter(status => status !== 200)).toEqual([])
  }
  const columns = await titles()
  const seen = (await server.as(other, queryBoard, { idProject, Group: 'State' })).body.Columns
  expect(seen.map(({ Tickets }) => Tickets.map(({ Title }) => Title).join(''))).toEqual(Object.values(columns))
  expect(Object.values(columns).join('').split('').sort().join('')).toBe(letters)
  for (const Lanes of ['Label', 'Assignee']) {
    for (const [index, { Tickets }] of (await board({ Lanes })).entries()) {
      const isInLane = new Map(Tickets.map(({ id, Lane }) => [id, Lane !== null]))
      const order = seen[index]?.Tickets.map(({ id }) => id) ?? []
      expect(Tickets.map(({ id }) => id)).toEqual([...order.filter(id => isInLane.get(id)), ...order.filter(id => !isInLane.get(id))])
    }
  }
  const rows = await server.sql<{ ranks: number; places: number; whole: number }>`
    select count(*)::int as ranks, count(distinct rank)::int as places, count(*) filter (where rank = floor(rank))::int as whole
    from ticket where organization_id = ${caller.orgid} and rank is not null`
  expect(rows[0]?.ranks).toBe(rows[0]?.places)
  expect(rows[0]?.whole).toBe(0)
})

test('a board has the filters and columns of a list, lanes by parent, and answers the position of single tickets', async () => {
  const { organization, project, idProject, caller, someone, make, board, titles, move } = await setUp()
  const { doing } = project.states
  const [p, q] = await make('pq')
  const [a, b, c, d] = await make('abcd')
  const put = (id: number | undefined, idParent: number | undefined) =>
    server.as(caller, moveTicket, { idTicket: id as number, idParent: idParent as number })
  for (const [id, parent] of [
    [a, p],
    [b, q],
    [c, p],
  ])
    await put(id, parent)
  expect(await titles()).toMatchObject({ Open: 'dcbaqp' })
  // The children of q, which is newer than p, then those of p, then those without a parent; each in the order of the board.
  const lanes = { Lanes: 'Parent' }
  expect(await titles(lanes)).toMatchObject({ Open: 'bcadqp' })
  await move(p, { After: null })
  expect(await titles(lanes)).toMatchObject({ Open: 'cabpdq' })
  expect(await titles()).toMatchObject({ Open: 'pdcbaq' })
  expect((await server.as(caller, queryBoard, { idProject, Group: 'State', Lanes: 'Parent' })).body.Lanes).toEqual([p, q, null])
  const pages = []
  for (let Cursor: string | null | undefined; Cursor !== null; ) {
    const [open] = await board({ ...lanes, Limit: 2, Value: project.states.open, ...(Cursor && { Cursor }) })
    pages.push(open?.Tickets.map(({ Title }) => Title).join(''))
    Cursor = open?.NextCursor ?? null
  }
  expect(pages).toEqual(['ca', 'bp', 'dq'])

  await move(d, { State: doing, After: null })
  const where = async (input: object) =>
    (await board(input)).map(({ Label, Total, Tickets, NextCursor }) => [
      Label,
      Total,
      Tickets.map(({ id, After }) => [id, After]),
      NextCursor,
    ])
  expect(await where({ Tickets: [a, c, d, 999_999] })).toEqual([
    [
      'Open',
      5,
      [
        [c, p],
        [a, b],
      ],
      null,
    ],
    ['Doing', 1, [[d, null]], null],
    ['Done', 0, [], null],
  ])
  expect(await where({ ...lanes, Limit: 2, Tickets: [p] })).toMatchObject([['Open', 5, [[p, b]], null], {}, {}])
  // It has left what the query finds.
  expect(await where({ Query: 'state:Open', Tickets: [d] })).toMatchObject([['Open', 5, [], null], ['Doing', 0, [], null], {}])

  expect(await titles({ Title: 'c' })).toEqual({ Open: 'c', Doing: '', Done: '' })
  const pcode = (await board())[0]?.Tickets[0]?.pcode
  expect(await titles({ Id: `${pcode}-${d}` })).toMatchObject({ Open: '', Doing: 'd' })
  expect(await titles({ Phases: [2] })).toEqual({ Open: '', Doing: 'd', Done: '' })
  expect((await board({ Phases: [2] })).map(({ Total }) => Total)).toEqual([0, 1, 0])
  expect(await titles({ States: [doing], Types: [project.templates.bug], Query: 'd' })).toMatchObject({ Open: '', Doing: 'd' })
  expect(await titles({ Subordinates: [1] })).toMatchObject({ Open: 'pq', Doing: '' })
  await move(b, { TicketAssign: [{ idUser: caller.idUser, idRole: project.roles.assignee, Enabled: 1 }], data: { size: 'l' } })
  expect(await titles({ Mine: 1 })).toMatchObject({ Open: 'b', Doing: '' })
  const [open] = await board({ Mine: 1, Columns: ['Assignees', 'Labels', 'Parent', 'size'] })
  expect(open?.Tickets[0]?.Values).toEqual({
    Assignees: [{ idUser: caller.idUser, Name: 'Ada', Role: 'Assignee' }],
    Labels: [],
    Parent: { id: q, pcode, Title: 'q' },
    size: 'l',
  })
  const ask = (input: object) => server.as(caller, queryBoard, { idProject, Group: 'State', ...input })
  for (const Group of ['State', 'Assignee']) {
    expect(await ask({ Group, Columns: ['nothing'] })).toMatchObject({ status: 400, body: { fields: [{ path: 'Columns.0' }] } })
    for (const filter of [{ States: [999_999] }, { Types: [999_999] }]) expect((await ask({ Group, ...filter })).status).toBe(404)
  }
  const types = async (...Types: number[]) => (await board({ Types })).map(({ Total, Tickets }) => `${Total} ${Tickets.length}`).join()
  expect(await types(project.templates.bug)).toBe('5 5,1 1,0 0')
  expect(await types(project.templates.task)).toBe('0 0,0 0,0 0')
  const forged = (...position: unknown[]) => Buffer.from(JSON.stringify(['board', ...position])).toString('base64url')
  for (const Cursor of ['x', forged('x', '1', 1), forged(null, 'x', 1), forged(null, '1', 0), forged(null, '1', 1, 1)])
    expect((await ask({ Cursor, Value: doing })).status).toBe(400)
  for (const Group of ['State', 'Assignee'])
    expect(await ask({ Group, Cursor: forged(null, '1', 1) })).toMatchObject({ status: 400, body: { fields: [{ path: 'Value' }] } })

  // What may not be seen is in no total: another project's, and the trash.
  const other = await makeProject(server.db, organization)
  await makeTicket(server.db, organization, other, { title: 'a' })
  await server.as(caller, trashTicket, { idTicket: a as number })
  const totals = async (input: object) => (await board(input)).map(({ Total }) => Total)
  expect(await totals({})).toEqual([4, 1, 0])
  expect(await totals({ Query: 'is:trashed' })).toEqual([1, 0, 0])
  expect((await board({ Query: 'is:trashed or b' }))[0]?.Tickets.map(({ Trashed }) => Trashed)).toEqual([undefined, 1])
  const blind = await someone(allBut(permission.viewTickets))
  expect((await server.as(blind, queryBoard, { idProject, Group: 'State' })).status).toBe(404)
})

test('a refused move names its reason and moves nothing', async () => {
  const { organization, project, idProject, caller, someone, make, titles, move } = await setUp()
  const { open, doing, done } = project.states
  const [a, b, c, d] = (await make('abcd')) as [number, number, number, number]
  const before = await titles()

  // Two drag the same card: the second learns where it is now, and may say the same again with the new version.
  expect((await move(a, { State: doing, After: null, Version: 1 })).body).toMatchObject({ Version: 2 })
  const second = await move(a, { State: done, After: null, Version: 1 })
  expect(second).toMatchObject({
    status: 409,
    body: { idState: doing, State: 'Doing', Conflicts: [{ Field: 'State', Value: String(doing), ChangedBy: 'Ada' }] },
  })
  // Only the place differs: nobody is overwritten.
  expect((await move(b, { After: null, Version: 1 })).status).toBe(200)
  await move(b, { After: c })
  await move(a, { State: open, After: b })
  expect(await titles()).toEqual(before)

  // A blocker holds it, by name.
  await server.as(caller, setProjectData, { idProject, BlockersHold: 1 })
  await server.as(caller, setTicketLink, { idTicket: b, idOther: a, Kind: 'blocks' })
  expect(await move(a, { State: done, After: null })).toMatchObject({ status: 409, body: { code: 'blocked', Blockers: [{ id: b }] } })

  // The state is deleted while somebody drags; the ticket to follow is another project's. One of the trash may be followed: a query may show it.
  const { body } = await server.as(caller, createNewState, { idProject, State: 'Later', idPhase: 1 })
  await server.as(caller, deleteTicketStates, { idProject, ids: [body.idState] })
  expect((await move(a, { State: body.idState, After: null })).status).toBe(404)
  await server.as(caller, trashTicket, { idTicket: d })
  expect((await move(d, { After: null })).status).toBe(422)
  expect((await move(a, { After: d })).status).toBe(200)
  const other = await makeProject(server.db, organization)
  const elsewhere = await makeTicket(server.db, organization, other)
  expect((await move(a, { State: doing, After: elsewhere })).status).toBe(404)
  expect((await move(a, { data: { nothing: 'x' }, After: null })).status).toBe(404)
  expect((await move(a, { data: { size: 'x' }, After: null })).status).toBe(400)
  const assigning = { TicketAssign: [{ idUser: caller.idUser, idRole: project.roles.assignee, Enabled: 1 }] }
  const unassigning = await someone(allBut(permission.assignPeople))
  expect(await server.as(unassigning, moveOnBoard, { idTicket: a, ...assigning })).toMatchObject({
    status: 422,
    body: { needs: 'Assign people' },
  })
  expect(await titles()).toEqual({ Open: 'acb', Doing: '', Done: '' })
  // Who may only change states puts it where they drop it; a ticket of another column is followed as well.
  const mover = await someone([permission.viewTickets, permission.changeState])
  expect((await server.as(mover, moveOnBoard, { idTicket: a, State: doing, After: c })).status).toBe(200)
  expect((await move(b, { State: doing, After: c })).status).toBe(200)
  expect(await titles()).toEqual({ Open: 'c', Doing: 'ba', Done: '' })
})

test('a board of 200 columns has all of them, in order', async () => {
  const { project, caller, make, board } = await setUp()
  const options = Array.from({ length: 200 }, (_, index) => ({ value: `v${index}`, label: `Option ${index}` }))
  await makeField(server.db, caller.orgid, project, 'many', 'SELECT', { options })
  const [a] = await make('a')
  await server.as(caller, moveOnBoard, { idTicket: a as number, data: { many: 'v199' }, After: null })
  const columns = await board({ Group: 'many' })
  expect(columns.map(({ Value }) => Value)).toEqual(['', ...options.map(({ value }) => value)])
  expect(columns.at(-1)).toMatchObject({ Label: 'Option 199', Total: 1 })
})
