import { allPermissions } from '@tessera/contract/permissions'
import { deleteTicketStates, getTicketStateList, restoreTicketStates, setTicketState } from '@tessera/contract/projects/project-config'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../test/fixtures/recount.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp(Limit: number) {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const caller = await someone(allPermissions)
  const { doing, open, done } = project.states
  await server.as(caller, setTicketState, { idProject, idState: doing, Limit, LimitHolds: 1 })
  const tickets = async (count: number) => {
    const ids: number[] = []
    while (ids.length < count) ids.push(await makeTicket(server.db, organization, project, { title: `Buoy ${ids.length}` }))
    return ids
  }
  const save = (idTicket: number, input: object) => server.as(caller, setTicketData, { idTicket, ...input })
  const move = (idTicket: number, input: object) => server.as(caller, moveOnBoard, { idTicket, ...input })
  const bulk = async (Tickets: number[], State: number) => {
    const { body } = await server.as(caller, previewBulkChange, { idProject, Tickets, Change: { State } })
    return { preview: body, apply: () => server.as(caller, applyBulkChange, { idPreview: body.idPreview }) }
  }
  const columns = async (input = {}) => (await server.as(caller, queryBoard, { idProject, Group: 'State', ...input })).body.Columns
  const inDoing = async () => (await columns())[1]?.Total
  return { ...made, caller, doing, open, done, tickets, save, move, bulk, columns, inDoing }
}
const full = (limit: number) => `Doing has reached its limit of ${limit} ${limit === 1 ? 'ticket' : 'tickets'}`

test('a state that has reached an enforced limit accepts no ticket from another state', async () => {
  const { caller, idProject, doing, open, tickets, save, move, bulk, columns, inDoing } = await setUp(2)
  const [a = 0, b = 0, c = 0, d = 0] = await tickets(4)
  expect((await save(a, { State: doing })).status).toBe(200)
  expect((await move(b, { State: doing, After: a })).status).toBe(200)

  for (const refused of [
    await save(c, { State: doing }),
    await save(c, { State: doing, Title: 'Rope' }),
    await move(c, { State: doing, After: null }),
  ])
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'rule', error: full(2) }])
  const { preview, apply } = await bulk([a, c, d], doing)
  expect(preview).toMatchObject({ Changed: 0, Same: 1, Refused: [{ Reason: full(2), Tickets: [c, d] }] })
  expect((await apply()).body).toMatchObject({ Changed: 0, idChangeSet: null })
  // What is there already is saved and moved within the column, and a ticket that leaves makes room.
  expect((await save(a, { State: doing, Title: 'Anchor' })).status).toBe(200)
  expect((await move(b, { State: doing, After: null })).status).toBe(200)
  expect((await save(a, { State: open })).status).toBe(200)
  expect((await (await bulk([c, d], doing)).apply()).body).toMatchObject({ Changed: 1 })
  expect(await inDoing()).toBe(2)

  const told = async () => (await server.as(caller, getTicketStateList, { idProject })).body.map(({ LimitHolds }) => LimitHolds)
  const onBoards = async () =>
    (await Promise.all([columns(), columns({ Query: 'is:open' })])).map(all => all.map(({ LimitHolds }) => LimitHolds))
  const holding = [undefined, 1, undefined]
  expect([await told(), ...(await onBoards())]).toEqual([holding, holding, holding])
  await server.as(caller, setTicketState, { idProject, idState: doing, LimitHolds: 0 })
  expect((await save(a, { State: doing })).status).toBe(200)
  expect([(await told())[1], await inDoing()]).toEqual([undefined, 3])
})

test('creation, deletion of a state and reverts ignore the limit; restoring the state restores it', async () => {
  const { caller, idProject, project, doing, open, tickets, save, bulk, inDoing } = await setUp(1)
  const [a = 0, b = 0, c = 0] = await tickets(3)
  const there = await bulk([a], doing)
  await there.apply()
  const { body: back } = await (await bulk([a], open)).apply()
  expect((await save(b, { State: doing })).status).toBe(200)
  expect((await server.as(caller, revertChangeSet, { idChangeSet: back.idChangeSet })).body).toMatchObject({ Changed: 1, Skipped: [] })
  expect(await inDoing()).toBe(2)

  await server.as(caller, setTicketState, { idProject, idState: open, Limit: 1, LimitHolds: 1 })
  const created = await server.as(caller, createNewTicket, { idProject, idTemplate: project.templates.bug, Title: 'New' })
  expect(created.status).toBe(200)
  await server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement: open })
  await server.as(caller, restoreTicketStates, { idProject, ids: [doing] })
  expect(await inDoing()).toBe(2)
  expect((await save(c, { State: doing })).body).toMatchObject({ error: full(1) })
})

test('simultaneous moves to the last free places never exceed the limit', async () => {
  const { organization, doing, open, tickets, save, move, bulk, inDoing } = await setUp(3)
  const all = await tickets(12)
  for (let race = 0; race < 8; race++) {
    const [a = 0, b = 0, c = 0, d = 0, ...rest] = all
    const many = await bulk(rest, doing)
    const answers = await Promise.all([
      save(a, { State: doing }),
      move(b, { State: doing, After: null }),
      save(c, { State: doing, Title: `Race ${race}` }),
      many.apply(),
      move(d, { State: doing }),
    ])
    for (const { status } of answers) expect([200, 422]).toContain(status)
    expect(await inDoing()).toBe(3)
    await Promise.all(all.map(id => save(id, { State: open })))
    expect(await inDoing()).toBe(0)
  }
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a blocker that does not fit into the column stays open, and so does the ticket that it blocks', async () => {
  const { organization, idProject, caller, done, tickets, bulk } = await setUp(5)
  const [a = 0, b = 0, c = 0] = await tickets(3)
  await server.sql`update project set blockers_hold = true where organization_id = ${organization} and id = ${idProject}`
  await server.sql`
    insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind) values (${organization}, ${c}, ${a}, 'blocks')`
  await server.as(caller, setTicketState, { idProject, idState: done, Limit: 2, LimitHolds: 1 })
  const { preview, apply } = await bulk([a, b, c], done)
  expect(preview.Refused.flatMap(({ Tickets }) => Tickets).sort((x, y) => x - y)).toEqual([a, c])
  expect((await apply()).body).toMatchObject({ Changed: 1 })
})
