import type { Request } from '@tessera/contract/call'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeAssignment, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { refusesStrangers, ticketsOfPeople, unknownId } from '../../../../test/fixtures/worlds/tickets-of-people.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

/** 60 tickets on three levels in both templates and all states, as a plain list to compare with. */
async function forest() {
  const made = await ticketsOfPeople(server)
  const { organization, project, ann } = made
  const states = Object.values(project.states)
  const templates = Object.values(project.templates)
  const tickets: { id: number; parent: number | null; state: number; template: number; title: string }[] = []
  for (let index = 0; index < 60; index++) {
    const parent = index % 3 === 0 ? null : (tickets[index - 1]?.id ?? null)
    const state = states[(index * 7) % 3] as number
    const template = templates[(index >> 2) % 2] as number
    const title = `Ticket ${index} ${index % 5 === 0 ? '50%_off' : 'plain'}`
    const id = await makeTicket(server.db, organization, project, {
      title,
      stateId: state,
      templateId: template,
      ...(parent === null ? {} : { parentId: parent }),
    })
    tickets.push({ id, parent, state, template, title })
    if (index % 4 === 0) await makeAssignment(server.db, organization, project, id, ann.idUser, 'reviewer')
  }
  const mine = new Set(tickets.filter((_, index) => index % 4 === 0).map(({ id }) => id))
  return { ...made, tickets, mine }
}

/** All pages of a query, one after the other. */
async function allPages(caller: Caller, input: Request<typeof queryTickets>) {
  const tickets: QueriedTicket[] = []
  let Cursor: string | undefined
  for (;;) {
    const { status, body } = await server.as(caller, queryTickets, { ...input, ...(Cursor === undefined ? {} : { Cursor }) })
    expect(status).toBe(200)
    tickets.push(...body.Tickets)
    expect(body.Tickets.length).toBeLessThanOrEqual(input.Limit ?? 100)
    if (body.NextCursor === null) return { tickets, total: body.Total }
    Cursor = body.NextCursor
  }
}

test('query-tickets without a filter: roots and children by page, in any order', async () => {
  const { idProject, ann, tickets, project, organization } = await forest()
  const phaseOf = (state: number) => Object.values(project.states).indexOf(state) + 1
  // The project's own order of its states is neither that of their names nor that of their phases.
  const places = new Map([
    [project.states.done, 0],
    [project.states.open, 1],
    [project.states.doing, 2],
  ])
  for (const [id, position] of places)
    await server.sql`update state set position = ${position} where organization_id = ${organization} and id = ${id}`
  const typeOf = (template: number) => (template === project.templates.bug ? 'bug' : 'task')
  type Ticket = (typeof tickets)[number]
  const compare = {
    ID: (a: Ticket, b: Ticket) => a.id - b.id,
    Type: (a: Ticket, b: Ticket) => typeOf(a.template).localeCompare(typeOf(b.template)),
    Phase: (a: Ticket, b: Ticket) => phaseOf(a.state) - phaseOf(b.state),
    State: (a: Ticket, b: Ticket) => Number(places.get(a.state)) - Number(places.get(b.state)),
  }
  const sorts: NonNullable<Request<typeof queryTickets>['Sort']>[] = [
    [],
    [{ Column: 'ID', Direction: 'asc' }],
    ...(['Type', 'Phase', 'State'] as const).flatMap(Column => (['asc', 'desc'] as const).map(Direction => [{ Column, Direction }])),
    [
      { Column: 'State', Direction: 'desc' },
      { Column: 'Type', Direction: 'asc' },
      { Column: 'ID', Direction: 'asc' },
    ],
    [
      { Column: 'Phase', Direction: 'asc' },
      { Column: 'Phase', Direction: 'desc' },
      { Column: 'Type', Direction: 'desc' },
    ],
  ]
  for (const Sort of sorts) {
    const sorted = (list: Ticket[]) =>
      list
        .toSorted((a, b) => {
          for (const { Column, Direction } of [...Sort, { Column: 'ID' as const, Direction: 'desc' as const }]) {
            const difference = compare[Column as keyof typeof compare](a, b)
            if (difference !== 0) return Direction === 'asc' ? difference : -difference
          }
          return 0
        })
        .map(({ id }) => id)
    for (const Limit of [7, 500]) {
      const roots = tickets.filter(({ parent }) => parent === null)
      const page = await allPages(ann, { idProject, Sort, Limit })
      expect(
        page.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(roots))
      expect(page.total).toBe(roots.length)
      expect(page.tickets.every(ticket => ticket.Path === undefined)).toBe(true)
      const filtered = await allPages(ann, { idProject, Sort, Limit, Phases: [1, 3] })
      const matching = tickets.filter(({ state }) => phaseOf(state) !== 2)
      expect(
        filtered.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(matching))
      expect(filtered.total).toBe(matching.length)
      const found = await allPages(ann, { idProject, Sort, Limit, Title: 'PLAIN' })
      const plain = tickets.filter(({ title }) => title.includes('plain'))
      expect(
        found.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(plain))
      expect(found.total).toBe(plain.length)
      const idParent = tickets[0]?.id as number
      const children = await allPages(ann, { idProject, idParent, Sort, Limit })
      expect(children.tickets.map(({ id }) => id)).toEqual(sorted(tickets.filter(({ parent }) => parent === idParent)))
      expect(children.total).toBe(children.tickets.length)
    }
  }
})

test('query-tickets with filters: matches at every depth, each with its path', async () => {
  const { idProject, ann, tickets, mine, project } = await forest()
  const byId = new Map(tickets.map(ticket => [ticket.id, ticket]))
  const pathOf = (id: number) => {
    const path: { id: number; Title: string }[] = []
    for (let parent = byId.get(id)?.parent; parent; parent = byId.get(parent)?.parent)
      path.unshift({ id: parent, Title: byId.get(parent)?.title ?? '' })
    return path
  }
  const ids = async (filter: Partial<Request<typeof queryTickets>>) => {
    const { tickets: found, total } = await allPages(ann, { idProject, Limit: 9, ...filter })
    expect(total).toBe(found.length)
    for (const ticket of found) expect(ticket.Path).toEqual(pathOf(ticket.id))
    return found.map(({ id }) => id)
  }
  const expected = (keep: (ticket: (typeof tickets)[number]) => boolean) =>
    tickets
      .filter(keep)
      .map(({ id }) => id)
      .reverse()
  const { done } = project.states
  const { task } = project.templates
  expect(await ids({ States: [done] })).toEqual(expected(({ state }) => state === done))
  expect(await ids({ States: [done], Phases: [1] })).toEqual([])
  expect(await ids({ Types: [task] })).toEqual(expected(({ template }) => template === task))
  expect(await ids({ Types: [task], States: [done], Phases: [3] })).toEqual(
    expected(({ template, state }) => template === task && state === done),
  )
  // These queries alone are read as the filter of phases.
  const others: Partial<Request<typeof queryTickets>>[] = [{}, { Phases: [1, 2, 3] }, { Types: [task] }]
  for (const also of others) {
    const isMeant = ({ template }: (typeof tickets)[number]) => !also.Types || template === task
    expect(await ids({ Query: ' IS:Closed ', ...also })).toEqual(expected(each => each.state === done && isMeant(each)))
    expect(await ids({ Query: 'is:open', ...also })).toEqual(expected(each => each.state !== done && isMeant(each)))
    expect(await ids({ Query: 'is:open,closed', ...also })).toEqual(expected(isMeant))
  }
  expect(await ids({ Query: 'is:open', Phases: [3] })).toEqual([])
  expect(await ids({ Mine: 1 })).toEqual(expected(({ id }) => mine.has(id)))
  expect(await ids({ Mine: 1, Phases: [3], Title: 'ticket' })).toEqual(expected(({ id, state }) => mine.has(id) && state === done))
  expect(await ids({ Title: '50%_OFF' })).toEqual(expected(({ title }) => title.includes('50%_off')))
  expect(await ids({ Title: '%' })).toEqual(expected(({ title }) => title.includes('%')))
  expect(await ids({ Subordinates: [3] })).toEqual(
    expected(({ id }) => tickets.some(({ parent, state }) => parent === id && state === done)),
  )
  const some = tickets[30]?.id as number
  expect(await ids({ Id: `apo-${some}` })).toEqual(expected(({ id }) => String(id).startsWith(String(some))))
  expect(await ids({ Id: String(some) })).toEqual(expected(({ id }) => String(id).includes(String(some))))
  expect(await ids({ Id: 'Po-' })).toEqual(expected(() => true))
  expect(await ids({ Id: 'nothing' })).toEqual([])
  // Below one ticket, at every depth.
  const [root, child, grandchild] = tickets.slice(0, 3).map(({ id }) => id) as [number, number, number]
  expect(await ids({ idParent: root, Title: 'ticket' })).toEqual([grandchild, child])
  // An empty filter is no filter.
  const empty = await server.as(ann, queryTickets, {
    idProject,
    Id: '',
    Title: '',
    Types: [],
    States: [],
    Phases: [],
    Subordinates: [],
    Mine: 0,
  })
  expect(empty.body.Total).toBe(20)
})

test('query-tickets: refusals, more than six sort columns among them [3.25]', async () => {
  const { idProject, ann, stranger, project, elsewhere, someone } = await forest()
  await refusesStrangers(server, stranger, queryTickets, { idProject }, { idProject: unknownId })
  const foreign = await makeProject(server.db, elsewhere)
  const ofOtherProject = await makeTicket(server.db, ann.orgid, await makeProject(server.db, ann.orgid))
  for (const filter of [
    { idParent: unknownId },
    { idParent: ofOtherProject },
    { Types: [project.templates.bug, foreign.templates.bug] },
    { Types: [unknownId] },
    { States: [foreign.states.open] },
    { States: [unknownId], Phases: [1 as const] },
  ]) {
    expect(await server.as(ann, queryTickets, { idProject, ...filter }), JSON.stringify(filter)).toMatchObject({ status: 404 })
  }
  const { body } = await server.as(ann, queryTickets, { idProject, Limit: 3, Sort: [{ Column: 'Type', Direction: 'asc' }] })
  for (const Cursor of ['x', 'bm90IGpzb24', Buffer.from('[]').toString('base64url'), body.NextCursor]) {
    expect(await server.as(ann, queryTickets, { idProject, Cursor })).toMatchObject({ status: 400, body: { fields: [{ path: 'Cursor' }] } })
  }
  const sixSlots = Array.from({ length: 6 }, () => ({ Column: 'ID' as const, Direction: 'asc' as const }))
  expect((await server.as(ann, queryTickets, { idProject, Sort: sixSlots })).status).toBe(200)
  for (const [wrong, path] of [
    [{ Limit: 501 }, 'Limit'],
    [{ Phases: [4] }, 'Phases.0'],
    [{ Mine: true }, 'Mine'],
    [{ Sort: [{ Column: 'Title', Direction: 'asc' }] }, 'Sort.0.Column'],
    [{ Sort: sixSlots.concat({ Column: 'ID', Direction: 'asc' }) }, 'Sort'],
  ] as const) {
    const refused = await server.as(ann, queryTickets, { idProject, ...wrong })
    expect(refused).toMatchObject({ status: 400, body: { fields: expect.arrayContaining([expect.objectContaining({ path })]) } })
  }
  const outsider = await someone([2, 3])
  expect((await server.as(outsider, queryTickets, { idProject })).status).toBe(404)
})
