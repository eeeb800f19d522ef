import { moveOnBoard, queryBoard } from '@tessera/contract/board'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { setTicketData } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/factories.ts'
import { allBut, peopledProject } from '../../../test/peopled-project.ts'
import { expectRefusals } from '../../../test/refusals.ts'
import { startServer, type TestServer } from '../../../test/server.ts'

async function setUp(server: TestServer) {
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
  await using server = await startServer()
  const { project, idProject, caller, someone, foreigner, make, board, titles, move } = await setUp(server)
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
  await sql`insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select organization_id, id, ${doing}, ${done} from project where organization_id = ${caller.orgid} and id = ${idProject}`.execute(
    server.db,
  )
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

test('many moves at once leave one order in which nothing is lost and no two tickets stand in the same place', async () => {
  await using server = await startServer()
  const { make, titles, move, caller, project } = await setUp(server)
  const letters = 'abcdefghij'
  const ids = await make(letters)
  const states = [project.states.open, project.states.doing, project.states.done]
  const pick = (seed: number, from: readonly number[]) => from[seed % from.length] as number
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const [idTicket, After] = [pick(round * 7 + n * 3, ids), pick(round * 5 + n * 7 + 1, ids)]
        return move(idTicket, { State: pick(round + n, states), ...(idTicket === After ? { After: null } : { After }) })
      }),
    )
    expect(answers.map(({ status }) => status).filter(status => status !== 200)).toEqual([])
  }
  const columns = await titles()
  expect(Object.values(columns).join('').split('').sort().join('')).toBe(letters)
  const { rows } = await sql<{ ranks: number; places: number; whole: number }>`
    select count(*)::int as ranks, count(distinct rank)::int as places, count(*) filter (where rank = floor(rank))::int as whole
    from board_rank where organization_id = ${caller.orgid}`.execute(server.db)
  expect(rows[0]?.ranks).toBe(rows[0]?.places)
  expect(rows[0]?.whole).toBe(0)
})
