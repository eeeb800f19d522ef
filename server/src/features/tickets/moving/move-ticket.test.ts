import { limits } from '@tessera/contract/limits'
import { moveTicket, moveTickets, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, getTicketHistory } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server, { shortCode: 'ACME' })
  const { organization, project, someone } = made
  return {
    ...made,
    ann: await someone([1, 3, 12]),
    bob: await someone([1, 3, 12]),
    viewer: await someone([1]),
    ticket: (parentId?: number, title?: string) =>
      makeTicket(server.db, organization, project, {
        ...(parentId === undefined ? {} : { parentId }),
        ...(title === undefined ? {} : { title }),
      }),
    right: async () => expect(await recount(server.db, organization)).toEqual(everyCounterRight),
  }
}

/** Tickets that are their own ancestor. */
async function cycles(organization: number) {
  const rows = await server.sql<{ id: number }>`
    with recursive up as (
      select id, parent_id from ticket where organization_id = ${organization}
      union select up.id, t.parent_id from up join ticket t on t.organization_id = ${organization} and t.id = up.parent_id
    ) select id from up where id = parent_id`
  return rows
}

test('a ticket moves with all below it, the counters follow, and history names both parents', async () => {
  const { ann, ticket, right } = await setUp()
  const [one, two] = [await ticket(undefined, 'One'), await ticket(undefined, 'Two')]
  const child = await ticket(one)
  const leaf = await ticket(child)
  const move = (idTicket: number, idParent: number | null) => server.as(ann, moveTicket, { idTicket, idParent })
  const parentOf = async (idTicket: number) => (await server.as(ann, getTicketData, { idTicket })).body.idParent

  expect((await move(child, two)).body).toEqual({ Success: 1 })
  expect([await parentOf(child), await parentOf(leaf)]).toEqual([two, child])
  await right()
  expect((await move(child, null)).body).toEqual({ Success: 1 })
  expect(await parentOf(child)).toBeNull()
  await right()
  // Already there: nothing to write.
  expect((await move(child, null)).body).toEqual({ Success: 1 })
  expect((await server.as(ann, getTicketHistory, { idTicket: child })).body.Changes).toMatchObject([
    { Field: 'Parent', Label: 'Parent', Before: `ACME-${two} Two`, After: null, Restorable: null },
    { Field: 'Parent', Label: 'Parent', Before: `ACME-${one} One`, After: `ACME-${two} Two`, Restorable: null },
  ])
})

test('moves below itself, into the trash, elsewhere or too deep are refused', async () => {
  const { organization, project, ann, viewer, foreigner, ticket, right } = await setUp()
  const root = await ticket()
  const child = await ticket(root)
  const other = await makeProject(server.db, organization)
  const foreign = await makeTicket(server.db, organization, other)
  const gone = await ticket()
  await server.as(ann, trashTicket, { idTicket: gone })
  let deepest = await ticket()
  for (let depth = 1; depth <= 20; depth++) deepest = await ticket(deepest)
  const before = await databaseDigest(server.db)
  const move = async (idTicket: number, idParent: number) => (await server.as(ann, moveTicket, { idTicket, idParent })).status
  expect(await move(root, root)).toBe(422)
  expect(await move(root, child)).toBe(422)
  expect(await move(root, foreign)).toBe(404)
  expect(await move(root, root + 9999)).toBe(404)
  expect(await move(root, gone)).toBe(422)
  expect(await move(gone, root)).toBe(422)
  expect(await move(child, deepest)).toBe(422)
  const parentOf = async (id: number) => {
    const found = server.db.selectFrom('ticket').select('parent_id').where('organization_id', '=', organization).where('id', '=', id)
    return (await found.executeTakeFirstOrThrow()).parent_id as number
  }
  const above = await parentOf(deepest)
  expect(await move(root, above), 'its child would be the 21st').toBe(422)
  expect(await databaseDigest(server.db)).toBe(before)
  expect(await move(child, above)).toBe(200)
  await right()
  await expectRefusals(server, moveTicket, {
    input: { idTicket: root, idParent: null },
    caller: ann,
    foreigner,
    unpermitted: viewer,
    bad: [
      [{ idTicket: root }, 'idParent'],
      [{ idTicket: root, idParent: 0 }, 'idParent'],
      [{ idTicket: root, idParent: '1' }, 'idParent'],
    ],
  })
  const archive = (archived_at: Date | null) =>
    server.sql`update project set archived_at = ${archived_at} where organization_id = ${organization} and id = ${project.projectId}`
  await archive(new Date())
  expect(await move(root, above)).toBe(422)

  // A ticket that is being created two levels below would be the 21st.
  await archive(null)
  const top = await ticket()
  const middle = await ticket(top)
  const higher = await parentOf(above)
  const late = await server.db.transaction().execute(async db => {
    await sql`select 1 from project where organization_id = ${organization} and id = ${project.projectId} for share`.execute(db)
    await makeTicket(db, organization, project, { parentId: middle })
    const answer = move(top, higher)
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { answer }
  })
  expect(await late.answer).toBe(422)
})

test('pairs of crossing moves never make a cycle: one of each pair is refused', async () => {
  const { organization, ann, bob, ticket, right } = await setUp()
  const outcomes = new Map<string, number>()
  for (let race = 0; race < rounds(4); race++) {
    const [a, b] = [await ticket(), await ticket()]
    // The barrier stops both transactions just before the tree's lock is granted, and releases them together.
    const answers = await server.db.transaction().execute(async barrier => {
      const { project_id } = await barrier
        .selectFrom('ticket')
        .select('project_id')
        .where('organization_id', '=', organization)
        .where('id', '=', a)
        .executeTakeFirstOrThrow()
      await sql`select pg_advisory_xact_lock(hashtextextended('tickets', ${project_id}::bigint))`.execute(barrier)
      const moves = [server.as(ann, moveTicket, { idTicket: a, idParent: b }), server.as(bob, moveTicket, { idTicket: b, idParent: a })]
      await expect.poll(() => lockWaits(server.db)).toBe(2)
      return { moves }
    })
    const statuses = (await Promise.all(answers.moves)).map(({ status }) => status).sort()
    outcomes.set(statuses.join(), (outcomes.get(statuses.join()) ?? 0) + 1)
  }
  expect(Object.fromEntries(outcomes)).toEqual({ '200,422': rounds(4) })
  expect(await cycles(organization)).toEqual([])
  await right()
})

test('several tickets move at once, all or none, and the answer can be used to undo it', async () => {
  const { organization, project, ann, viewer, foreigner, ticket, right } = await setUp()
  const [one, two] = [await ticket(undefined, 'One'), await ticket(undefined, 'Two')]
  const [first, second, third] = [await ticket(one), await ticket(one), await ticket()]
  const idProject = project.projectId
  const move = (Moves: { idTicket: number; idParent: number | null }[]) => server.as(ann, moveTickets, { idProject, Moves })
  const parents = async () => {
    const ids = [one, two, first, second, third]
    const rows = await server.sql<{ parent_id: number | null }>`
      select parent_id from ticket where organization_id = ${organization} and id = any(${ids}) order by id`
    return rows.map(row => row.parent_id)
  }
  const start = await parents()
  const moves = [first, second, third].map(idTicket => ({ idTicket, idParent: two }))
  const digest = await databaseDigest(server.db)
  // The last of them is below itself, is elsewhere, or is named twice: none moves.
  expect((await move([...moves, { idTicket: two, idParent: first }])).status).toBe(422)
  expect((await move([...moves, { idTicket: two + 9999, idParent: null }])).status).toBe(404)
  expect((await move([...moves, { idTicket: first, idParent: null }])).status).toBe(400)
  expect(await databaseDigest(server.db)).toBe(digest)

  const { Before } = (await move([...moves, { idTicket: two, idParent: null }])).body
  expect(Before).toEqual([
    { idTicket: first, idParent: one },
    { idTicket: second, idParent: one },
    { idTicket: third, idParent: null },
  ])
  expect(await parents()).toEqual([null, null, two, two, two])
  await right()
  const sets = await server.sql`select distinct change_set_id from change where organization_id = ${organization} and field = 'Parent'`
  expect(sets).toHaveLength(1)
  expect((await move(Before)).status).toBe(200)
  expect(await parents()).toEqual(start)
  await right()
  await expectRefusals(server, moveTickets, {
    input: { idProject, Moves: [{ idTicket: first, idParent: null }] },
    caller: ann,
    foreigner,
    unpermitted: viewer,
    bad: [
      [{ idProject, Moves: [] }, 'Moves'],
      [{ idProject, Moves: [{ idTicket: first }] }, 'Moves.0.idParent'],
    ],
  })
})

test('a ticket that is created below one that is being moved deeper counts the new place', async () => {
  const { organization, project, idProject, ann, someone, ticket, right } = await setUp()
  const line = [await ticket()]
  while (line.length < limits.depth - 1) line.push(await ticket(line.at(-1)))
  const deepest = line.at(-1) as number
  await ticket(deepest)
  const moved = await ticket()
  const below = await ticket(moved)
  const bob = await someone([1, 2])
  const input = { idProject, idTemplate: project.templates.bug, Title: 'too deep', idParent: below }
  // The move waits for the counters of its new parent, and the new ticket for the move.
  const { move, made } = await server.db.transaction().execute(async holder => {
    await sql`select 1 from ticket_subordinate where organization_id = ${organization} and ticket_id = ${deepest} for update`.execute(
      holder,
    )
    const moving = server.as(ann, moveTicket, { idTicket: moved, idParent: deepest })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    const making = server.as(bob, createNewTicket, input)
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    return { move: moving, made: making }
  })
  expect((await move).status).toBe(200)
  expect(await made).toMatchObject({ status: 422, body: { error: `A ticket has at most ${limits.depth} tickets above it` } })
  await right()
})
