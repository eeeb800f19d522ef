import {
  createNewState,
  deleteTicketStates,
  getTicketStateList,
  setStateTransitions,
  setTicketState,
  setTicketStateOrder,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { moveTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { serverOfFile, unguarded } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, idProject, someone } = made
  const [ann, bob] = [await someone('all'), await someone('all')]
  const states = async () => (await server.as(ann, getTicketStateList, { idProject })).body.map(({ id }) => id)
  const positions = async () =>
    (
      await server.sql<{ position: number }>`
        select position from state where organization_id = ${organization} and project_id = ${idProject} order by position`
    ).map(({ position }) => position)
  return { ...made, ann, bob, states, positions }
}

test('two reorders at once end as one or the other, and neither is refused', async () => {
  const { idProject, ann, bob, states } = await setUp()
  for (const State of ['D', 'E', 'F', 'G', 'H']) await server.as(ann, createNewState, { idProject, State, idPhase: 2 })
  const up = await states()
  const down = up.toReversed()
  for (let race = 0; race < rounds(4); race++) {
    const answers = await Promise.all([
      server.as(ann, setTicketStateOrder, { idProject, SortOrder: up }),
      server.as(bob, setTicketStateOrder, { idProject, SortOrder: down }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([up, down]).toContainEqual(await states())
  }
})

test('reordering while states are created: new ones come last, and no position is used twice', async () => {
  const { idProject, ann, bob, states, positions } = await setUp()
  for (let race = 0; race < rounds(4); race++) {
    const first = (await states()).toReversed()
    const [ordered, made] = await Promise.all([
      server.as(ann, setTicketStateOrder, { idProject, SortOrder: first }),
      server.as(bob, createNewState, { idProject, State: `State ${race}`, idPhase: 1 }),
    ])
    expect([ordered.status, made.status]).toEqual([200, 200])
    expect(await states()).toEqual([...first, made.body.idState])
    if (race % 20 === 19) {
      const places = await positions()
      expect(new Set(places).size).toBe(places.length)
      await server.as(ann, deleteTicketStates, { idProject, ids: (await states()).slice(0, 15).filter(id => id > first.length + 3) })
    }
  }
})

test('a state deleted while its tickets are created and moved: none is lost, every counter is right', async () => {
  const { organization, project, idProject, ann, bob } = await setUp()
  const { open, done } = project.states
  const parent = await makeTicket(server.db, organization, project)
  const statuses = new Map<string, number>()
  const seen = (name: string, status: number) => statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1)
  for (let race = 0; race < rounds(4); race++) {
    const { idState } = (await server.as(ann, createNewState, { idProject, State: `Doomed ${race}`, idPhase: ((race % 3) + 1) as 1 })).body
    const idTicketTemplate = race % 2 ? project.templates.bug : project.templates.task
    await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: idState })
    const leaving = (await server.as(ann, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'leaving', idParent: parent }))
      .body[0]
    const entering = await makeTicket(server.db, organization, project, { parentId: parent })
    await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: open })
    const [deleted, left, entered, made] = await Promise.all([
      server.as(ann, deleteTicketStates, { idProject, ids: [idState], idReplacement: done }),
      server.as(bob, setTicketData, { idTicket: leaving as number, State: open }),
      server.as(bob, setTicketData, { idTicket: entering, State: idState }),
      server.as(bob, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'made', idParent: parent }),
    ])
    seen('delete', deleted.status)
    seen('leave', left.status)
    seen('enter', entered.status)
    seen('make', made.status)
  }
  expect([...statuses.keys()].filter(key => !['delete 200', 'leave 200', 'enter 200', 'enter 404', 'make 200'].includes(key))).toEqual([])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  const rows = await server.sql<{ state_id: number }>`select distinct state_id from ticket where organization_id = ${organization}`
  expect(rows.map(row => row.state_id).filter(id => id !== open && id !== done)).toEqual([])
})

test('states created and deleted at the same time: each has its own position, and one remains', async () => {
  const { organization, idProject, ann, bob, states, positions } = await setUp()
  await server.sql`delete from template where organization_id = ${organization}`
  for (let race = 0; race < 20; race++) {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        server.as(index % 2 ? ann : bob, createNewState, { idProject, State: `State ${race} ${index}`, idPhase: 1 }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const places = await positions()
    expect(new Set(places).size).toBe(places.length)
    const all = await states()
    const [first, second] = [all.slice(0, 5), all.slice(5)]
    const deleted = await Promise.all([
      server.as(ann, deleteTicketStates, { idProject, ids: first }),
      server.as(bob, deleteTicketStates, { idProject, ids: second }),
    ])
    expect(deleted.map(({ status }) => status).sort()).toEqual([200, 422])
  }
})

test('tickets created while their initial state is replaced and deleted start in one or the other', async () => {
  const { organization, project, idProject, ann, bob } = await setUp()
  const idTicketTemplate = project.templates.bug
  const parent = await makeTicket(server.db, organization, project)
  for (let race = 0; race < rounds(4); race++) {
    const { idState } = (await server.as(ann, createNewState, { idProject, State: 'Leaving', idPhase: 2 })).body
    await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: idState })
    const exchange = async () => {
      await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: project.states.open })
      return server.as(ann, deleteTicketStates, { idProject, ids: [idState], idReplacement: project.states.open })
    }
    const make = () => server.as(bob, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'made', idParent: parent })
    const answers = await Promise.all([exchange(), ...Array.from({ length: 6 }, make)])
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
  }
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a template gets an initial state while that state is deleted: one of the two calls is refused', async () => {
  const { project, idProject, ann, bob, states } = await setUp()
  for (let race = 0; race < rounds(4); race++) {
    const { idState } = (await server.as(ann, createNewState, { idProject, State: 'Contested', idPhase: 2 })).body
    const idTicketTemplate = project.templates.bug
    const [deleted, moved] = await Promise.all([
      server.as(ann, deleteTicketStates, { idProject, ids: [idState], idReplacement: project.states.done }),
      server.as(bob, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: idState }),
    ])
    expect([
      [200, 404],
      [422, 200],
    ]).toContainEqual([deleted.status, moved.status])
    if (moved.status === 200) {
      await server.as(bob, setTicketTemplate, { idProject, idTicketTemplate, idEntryState: project.states.open })
      expect((await server.as(ann, deleteTicketStates, { idProject, ids: [idState] })).status).toBe(200)
    }
    expect(await states()).toHaveLength(3)
  }
})

const isCluster = inject('servers').length > 1
test('phases that change while eight clients create and move tickets: every counter is right', async () => {
  const { organization, project, idProject, ann, bob } = await setUp()
  const all = Object.values(project.states)
  const parents = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const tickets: number[] = []
  for (let index = 0; index < 10; index++)
    tickets.push(await makeTicket(server.db, organization, project, { parentId: parents[index % 2] as number }))
  const bad = new Set<string>()
  function act(number: number, step: number) {
    const who = number % 2 ? ann : bob
    const state = all[(step + number) % 3] as number
    if (number < 2) return server.as(who, setTicketState, { idProject, idState: state, idPhase: (((step * 7 + number) % 3) + 1) as 1 })
    if (step % 4 === 0) {
      const idParent = parents[step % 2] as number
      return server.as(who, createNewTicket, { idProject, idTemplate: project.templates.task, Title: `${number} ${step}`, idParent })
    }
    const idTicket = tickets[(number * 31 + step * 17) % tickets.length] as number
    return server.as(who, setTicketData, { idTicket, State: state })
  }
  async function client(number: number) {
    for (let step = 0; step < 40; step++) {
      const answer = await act(number, step)
      // A cluster notices a deadlock between its servers after two seconds: three in a row are refused as busy.
      if (answer.status !== 200 && !(isCluster && answer.status === 503)) bad.add(`${answer.status} ${JSON.stringify(answer.body)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)))
  expect([...bad]).toEqual([])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a ticket that is created, saved, moved or trashed while its state gets another phase is counted in that phase', async () => {
  const { organization, project, idProject, ann, bob } = await setUp()
  const { open, done } = project.states
  const [first, second] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const below = (parentId: number) => makeTicket(server.db, organization, project, { parentId })
  await below(first)
  const changes = [
    () => server.as(bob, createNewTicket, { idProject, idTemplate: project.templates.bug, Title: 'made', idParent: second }),
    (idTicket: number) => server.as(bob, setTicketData, { idTicket, State: done }),
    (idTicket: number) => server.as(bob, moveTicket, { idTicket, idParent: null }),
    (idTicket: number) => server.as(bob, trashTicket, { idTicket }),
  ]
  const db = unguarded(server.db)
  for (const [index, change] of changes.entries()) {
    const idTicket = await below(second)
    // The new phase waits for the counters of the first ticket, and with it the change below the second.
    const held = await db.startTransaction().execute()
    await sql`select 1 from ticket_subordinate where organization_id = ${organization} and ticket_id = ${first} for update`.execute(held)
    const phase = server.as(ann, setTicketState, { idProject, idState: open, idPhase: index % 2 === 0 ? 2 : 1 })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    const changed = change(idTicket)
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    await held.rollback().execute()
    expect([(await phase).status, (await changed).status]).toEqual([200, 200])
    expect(await recount(server.db, organization)).toEqual(everyCounterRight)
    // So that no counter has a number for the next one to subtract from.
    await server.as(bob, trashTicket, { idTicket })
  }
  await db.destroy()
})

test('two workflows saved over the same version at once: exactly one gets the conflict', async () => {
  const { project, idProject, ann, bob } = await setUp()
  const { open, doing, done } = project.states
  for (let Version = 0; Version < rounds(4); Version++) {
    const answers = await Promise.all([
      server.as(ann, setStateTransitions, { idProject, Transitions: [{ from: open, to: doing }], Version }),
      server.as(bob, setStateTransitions, { idProject, Transitions: [{ from: open, to: done }], Version }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})
