import { createNewState, deleteTicketStates } from '@tessera/contract/projects/project-config'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { searchTickets } from '@tessera/contract/tickets/search'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../test/servers/server.ts'

test('the daily statistics from the history of a project equal a count ticket by ticket', async () => {
  await using server = await startServer()
  const { organization, project, caller, make } = await searchWorld(server)
  const idProject = project.projectId
  const { open, doing, done } = project.states
  const phaseOf = new Map([
    [open, 1],
    [doing, 2],
    [done, 3],
  ])
  // Each life: the day of creation and, day by day, the moves.
  const lives: [created: string, moves: [day: string, state: number][]][] = [
    ['2026-01-01', []],
    [
      '2026-01-02',
      [
        ['2026-01-03', doing],
        ['2026-01-05', done],
      ],
    ],
    [
      '2026-01-02',
      [
        ['2026-01-04', done],
        ['2026-01-05', open],
        ['2026-01-06', doing],
        ['2026-01-06', open],
        ['2026-01-07', doing],
        ['2026-01-08', done],
      ],
    ],
    ['2025-12-01', [['2025-12-31', done]]],
    ['2026-01-06', [['2026-01-06', doing]]],
  ]
  const ids: number[] = []
  for (const [created, moves] of lives) {
    const idTicket = await make(`From ${created}`)
    ids.push(idTicket)
    for (const [, State] of moves) expect((await server.as(caller, setTicketData, { idTicket, State })).status).toBe(200)
    await server.sql`update ticket set created_at = ${`${created} 10:00Z`}::timestamptz where organization_id = ${organization} and id = ${idTicket}`
    const rows = await server.sql<{ id: number }>`
      select id from change where organization_id = ${organization} and ticket_id = ${idTicket} and field = 'State' order by id`
    for (const [index, { id }] of rows.entries())
      await server.sql`update change set changed_at = ${`${moves[index]?.[0]} 12:00Z`}::timestamptz where organization_id = ${organization} and id = ${id}`
  }
  const at = (life: (typeof lives)[number], day: string) =>
    day < life[0] ? 0 : (phaseOf.get(life[1].findLast(([moved]) => moved <= day)?.[1] ?? open) as number)
  const days = Array.from({ length: 9 }, (_, index) => `2026-01-0${index + 1}`)
  const input = { idProject, From: '2026-01-01', To: '2026-01-09', Zone: 'UTC' }
  await server.as(caller, trashTicket, { idTicket: await make('Thrown away') })
  const { status, body } = await server.as(caller, getProjectStatistics, input)
  expect(status).toBe(200)
  expect(body.Days).toEqual(
    days.map(Day => ({
      Day,
      Created: lives.filter(([created]) => created === Day).length,
      Closed: lives.flatMap(([, moves]) => moves).filter(([day, state]) => day === Day && state === done).length,
      Reopened: Day === '2026-01-05' ? 1 : 0,
      Proposed: lives.filter(life => at(life, Day) === 1).length,
      Active: lives.filter(life => at(life, Day) === 2).length,
      Inactive: lives.filter(life => at(life, Day) === 3).length,
    })),
  )
  // The query language tells the same: what a point of a chart leads to.
  const found = async (Query: string) => (await server.as(caller, searchTickets, { Query, idProject, Zone: 'UTC' })).body.Total
  for (const [index, { Day, Created, Closed, Proposed, Active, Inactive }] of body.Days.entries()) {
    const before = days[index - 1] ?? '2025-12-31'
    expect([Day, await found(`phase:inactive@${Day} -phase:inactive@${before}`)]).toEqual([Day, Closed])
    expect([Day, await found(`created:${Day}..${Day}`)]).toEqual([Day, Created])
    expect([Day, await found(`phase:proposed@${Day}`), await found(`phase:2@${Day}`), await found(`phase:inactive@${Day}`)]).toEqual([
      Day,
      Proposed,
      Active,
      Inactive,
    ])
  }
  expect(await found('phase:inactive@2026-01-09 -phase:inactive@2025-12-31')).toBe(2)
  expect(body.Open.Tickets).toBe(2)
  for (const [index, { UpToDays, Tickets }] of body.Open.Ages.entries()) {
    const after = body.Open.Ages[index - 1]?.UpToDays
    const younger = index === 0 ? `<${UpToDays}d` : `${after}d..${UpToDays}d`
    const age = UpToDays === null ? `>${after}d` : younger
    expect([age, await found(`is:open created:${age}`)]).toEqual([age, Tickets])
  }
  expect(body.Open.Ages.reduce((sum, { Tickets }) => sum + Tickets, 0)).toBe(2)
  // Closed within these days: after 3 days and 2 hours, and after 6 days and 2 hours.
  expect(body.Closed.Tickets).toBe(2)
  expect(body.Closed.ToInactive.Median).toBeCloseTo(4.5 + 2 / 24)
  expect(body.Closed.ToActive.Median).toBeCloseTo(2.5 + 2 / 24)
  // One was open for a day and two hours; the other for two days and two hours, and for two days after it had been reopened.
  const inStates = ({ States }: typeof body) =>
    States.map(({ State, Phase, Tickets, Median }) => [State, Phase, Tickets, Median?.toFixed(3)])
  expect(inStates(body)).toEqual([
    ['Open', 1, 2, (2.5 + 2 / 24).toFixed(3)],
    ['Doing', 2, 2, '1.500'],
  ])
  expect(body.States[0]?.P85).toBeCloseTo(1 + 2 / 24 + 0.85 * 3)

  expect((await server.as(caller, getProjectStatistics, { ...input, To: '2026-01-04' })).body.Closed.Tickets).toBe(0)

  // A move from one inactive state to another closes nothing again.
  const { idState: shelved } = (await server.as(caller, createNewState, { idProject, State: 'Shelved', idPhase: 3 })).body
  expect((await server.as(caller, setTicketData, { idTicket: ids[1], State: shelved })).status).toBe(200)
  await server.sql`update change set changed_at = '2026-01-07 12:00Z' where organization_id = ${organization} and after = ${String(shelved)}`
  const moved = (await server.as(caller, getProjectStatistics, input)).body
  expect([moved.Days, moved.Closed, inStates(moved)]).toEqual([body.Days, body.Closed, inStates(body)])

  // A ticket that begins in a phase came into it when it was created.
  const begun = [await make('Begun inactive', { stateId: done }), await make('Begun active', { stateId: doing })]
  expect((await server.as(caller, setTicketData, { idTicket: begun[1], State: done })).status).toBe(200)
  await server.sql`update ticket set created_at = '2026-01-08 10:00Z' where organization_id = ${organization} and id = any(${begun})`
  await server.sql`update change set changed_at = '2026-01-08 12:00Z' where organization_id = ${organization} and ticket_id = any(${begun})`
  const more = (await server.as(caller, getProjectStatistics, input)).body
  expect([more.Days[7]?.Closed, more.Closed.Tickets]).toEqual([3, 4])
  // Of 0, 2 hours, and the other two; of 0 and the other two.
  expect(more.Closed.ToInactive.Median).toBeCloseTo((2 / 24 + 3 + 2 / 24) / 2)
  expect(more.Closed.ToActive.Median).toBeCloseTo(1 + 2 / 24)
  // Midnight belongs to the day that begins.
  await server.sql`update change set changed_at = '2026-01-10 00:00Z' where organization_id = ${organization} and ticket_id = ${begun[1]}`
  expect((await server.as(caller, getProjectStatistics, input)).body.Closed.Tickets).toBe(3)
  for (const idTicket of begun) await server.as(caller, trashTicket, { idTicket })

  // A deleted state has the phase and the name that it was last deleted with.
  await server.sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, field, before)
    select ${organization}, nextval('change_set_id'), 'state', ${doing}, ${idProject}, field, before
    from (values ('Phase', '3'), ('Name', 'Former name')) as deleted (field, before)`
  // It was restored since, with another phase and name.
  expect((await server.as(caller, getProjectStatistics, input)).body.Days).toEqual(body.Days)
  await server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement: open })
  const later = (await server.as(caller, getProjectStatistics, input)).body
  expect([later.Days, inStates(later)]).toEqual([body.Days, inStates(body)])
  const phases = ['proposed', 'active', 'inactive'].map(phase => found(`phase:${phase}@2026-01-03`))
  expect(await Promise.all(phases)).toEqual([body.Days[2]?.Proposed, body.Days[2]?.Active, body.Days[2]?.Inactive])

  // 23:00 in UTC is the next day in Berlin.
  await server.sql`update ticket set created_at = '2026-01-01 23:30Z' where organization_id = ${organization} and title = 'From 2026-01-01'`
  const created = async (Zone: string) =>
    (await server.as(caller, getProjectStatistics, { ...input, Zone, Query: 'title:"From 2026-01-01"' })).body.Days.filter(
      ({ Created }) => Created === 1,
    ).map(({ Day }) => Day)
  expect([await created('UTC'), await created('Europe/Berlin')]).toEqual([['2026-01-01'], ['2026-01-02']])

  // A day that is yet to come has no numbers.
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const daysOf = async (From: string, To: string) =>
    (await server.as(caller, getProjectStatistics, { ...input, From, To })).body.Days.map(({ Day }) => Day)
  expect([await daysOf(day(-1), day(9)), await daysOf(day(2), day(9))]).toEqual([[day(-1), day(0)], []])

  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  await expectRefusals(server, getProjectStatistics, {
    input,
    caller,
    foreigner,
    bad: [
      [{ ...input, From: '2026-02-30' }, 'From'],
      [{ ...input, To: '2025-12-31' }, 'To'],
      // 1,101 days.
      [{ ...input, To: '2029-01-05' }, 'To'],
      [{ ...input, Zone: 'Nowhere' }, 'Zone'],
    ],
  })
})
