import type { Request } from '@tessera/contract/call'
import { allPermissions } from '@tessera/contract/permissions'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeTicket, makeTickets } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { readsOf } from '../../../../test/statements/explain.ts'
import { recordStatements, type Sent } from '../../../../test/statements/record-statements.ts'
import { buildApp } from '../../../app.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import { closeSystem, createSystem } from '../../../process/system.ts'

const server = await serverOfFile()

test('a board by assignee or field keeps the order that people gave, page by page, without tickets in the trash', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions, { fullName: 'Ada' })
  const bob = await someone(allPermissions, { fullName: 'Bob' })
  const made = []
  for (const title of 'abcdefg') made.push(await makeTicket(server.db, organization, project, { title }))
  const [a, b, c, d, e, f, g] = made as [number, number, number, number, number, number, number]
  const board = async (input: object) => (await server.as(caller, queryBoard, { idProject, ...input })).body.Columns
  const titles = async (input: object) =>
    Object.fromEntries((await board(input)).map(({ Label, Tickets }) => [Label, Tickets.map(({ Title }) => Title).join('')]))
  const move = (idTicket: number, input: object) => server.as(caller, moveOnBoard, { idTicket, ...input })
  const roles = [project.roles.assignee, project.roles.reviewer]
  const assign = (id: number, ...people: number[]) =>
    move(id, { TicketAssign: people.flatMap(idUser => roles.map(idRole => ({ idUser, idRole, Enabled: 1 }))), data: { size: 'l' } })
  for (const id of [a, b, c, e]) await assign(id, caller.idUser)
  await assign(f, caller.idUser, bob.idUser)
  const byPerson = { Group: 'Assignee' }
  expect(await titles(byPerson)).toEqual({ '': 'gd', Ada: 'fecba', Bob: 'f' })
  // Behind a ticket of another column, in front of all, between two.
  await move(a, { After: g })
  await move(d, { After: null })
  await move(b, { After: e })
  const all = { '': 'dg', Ada: 'afebc', Bob: 'f' }
  expect(await titles(byPerson)).toEqual(all)
  // The same tickets, found by a filter.
  expect(await titles({ ...byPerson, Phases: [1, 2, 3] })).toEqual(all)
  expect(await titles({ Group: 'size' })).toEqual({ '': 'dg', Small: '', Large: 'afebc' })

  const pages = async (input: object) => {
    const read = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const [column] = await board({ ...input, Limit: 2, ...(Cursor && { Cursor }) })
      read.push(`${column?.Tickets.map(({ Title }) => Title).join('')} ${column?.Total}`)
      Cursor = column?.NextCursor ?? null
    }
    return read
  }
  expect(await pages({ ...byPerson, Value: caller.idUser })).toEqual(['af 5', 'eb 5', 'c 5'])
  expect(await pages({ Group: 'size', Value: 'l' })).toEqual(['af 5', 'eb 5', 'c 5'])
  expect(await pages({ ...byPerson, Value: '' })).toEqual(['dg 2'])

  // An id is a number, an option is a text.
  const { open } = project.states
  for (const [Group, Value] of [
    ['State', String(open)],
    ['State', ''],
    ['Assignee', String(caller.idUser)],
    ['size', open],
  ] as const) {
    for (const more of [{}, { Lanes: 'Parent' }, { Phases: [1, 2, 3] }] as const) {
      const answer = await server.as(caller, queryBoard, { idProject, Group, Value, ...more })
      expect(answer, `${Group} ${Value}`).toMatchObject({ status: 400, body: { fields: [{ path: 'Value' }] } })
    }
  }

  await server.as(caller, trashTicket, { idTicket: f })
  await server.as(caller, trashTicket, { idTicket: d })
  expect((await board(byPerson)).map(({ Label, Total }) => [Label, Total])).toEqual([
    ['', 1],
    ['Ada', 4],
  ])
  expect(await titles({ Group: 'size' })).toEqual({ '': 'g', Small: '', Large: 'aebc' })
})

test('columns with one ticket in sixty have the same tickets as with a filter that matches all, page by page, and lanes only change their order', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions, { fullName: 'Ada' })
  const bob = await someone(allPermissions, { fullName: 'Bob' })
  const made: number[] = []
  for (let n = 0; n < 120; n++) made.push(await makeTicket(server.db, organization, project))
  const [seldom, without, placed, trashed, ...rest] = made as [number, number, number, number, ...number[]]
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, id, ${project.fields.size}, case when id = ${seldom} then 's' else 'l' end
    from unnest(${[seldom, placed, trashed, ...rest]}::bigint[]) id`
  const assign = (ids: number[], { idUser }: { idUser: number }) =>
    server.sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${organization}, ${idProject}, id, ${idUser}, role from unnest(${ids}::bigint[]) id, unnest(${[project.roles.assignee, project.roles.reviewer]}::bigint[]) role`
  await assign([seldom, placed, trashed, ...rest], caller)
  await assign([seldom, rest[50] as number], bob)
  await server.as(caller, moveOnBoard, { idTicket: placed, After: seldom })
  await server.as(caller, trashTicket, { idTicket: trashed })

  const read = async (input: Request<typeof queryBoard>) => {
    const columns = new Map<string, [total: number, ids: number[]]>()
    for (const { Value, Label } of (await server.as(caller, queryBoard, input)).body.Columns) {
      const ids: number[] = []
      let total = 0
      for (let Cursor: string | null | undefined; Cursor !== null; ) {
        const [column] = (await server.as(caller, queryBoard, { ...input, Value, Limit: 40, ...(Cursor && { Cursor }) })).body.Columns
        ids.push(...(column?.Tickets ?? []).map(({ id }) => id))
        total = column?.Total ?? 0
        Cursor = column?.NextCursor ?? null
      }
      columns.set(Label, [total, ids])
    }
    return columns
  }
  for (const Group of ['Assignee', 'size']) {
    const board = await read({ idProject, Group })
    expect(board).toEqual(await read({ idProject, Group, Phases: [1, 2, 3] }))
    expect(board.get('')).toEqual([1, [without]])
    expect(board.get(Group === 'size' ? 'Small' : 'Bob')?.[1].at(-1)).toBe(seldom)
    expect(board.get(Group === 'size' ? 'Large' : 'Ada')?.[0]).toBe(Group === 'size' ? 117 : 118)
  }

  // A hundred lanes, more than are counted together: each ticket is the child of the one that was made twenty before. Lanes only change the order.
  await server.sql`update ticket t set parent_id = p.id from unnest(${made}::bigint[]) with ordinality c (id, n), unnest(${made}::bigint[]) with ordinality p (id, n)
    where t.organization_id = ${organization} and t.id = c.id and p.n = c.n - 20`
  const parentOf = new Map(made.map((id, n) => [id, made[n - 20] ?? null]))
  for (const Group of ['State', 'Assignee', 'size']) {
    const Lanes = 'Parent' as const
    const lanes = (await server.as(caller, queryBoard, { idProject, Group, Lanes })).body.Lanes ?? []
    expect(lanes).toHaveLength(101)
    const laneOf = (id: number) => lanes.indexOf(parentOf.get(id) ?? null)
    const expected = [...(await read({ idProject, Group }))].map(([label, [total, ids]]) => [
      label,
      [total, ids.toSorted((one, other) => laneOf(one) - laneOf(other))],
    ])
    for (const filter of [{}, { Phases: [1, 2, 3] as (1 | 2 | 3)[] }])
      expect([...(await read({ idProject, Group, Lanes, ...filter }))], Group).toEqual(expected)
  }
})

test('a board by assignee counts what is in the trash once, not once for each member', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const ids = await makeTickets(server.db, organization, project, 300, 'Pump')
  const gone = ids.slice(0, 200)
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id = any(${gone})`
  await server.sql`update ticket_tally set tickets = 100 where organization_id = ${organization}`
  await server.sql`
    with made as (insert into user_account (login) select 'member-' || n from generate_series(1, 50) n returning id),
      joined as (insert into organization_member (organization_id, user_id) select ${organization}, id from made returning user_id)
    select count(*) from joined`
  await server.sql`
    insert into project_member (organization_id, project_id, user_id)
    select ${organization}, ${idProject}, user_id from organization_member where organization_id = ${organization}
    on conflict do nothing`
  await server.sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${organization}, ${idProject}, t.id, m.user_id, ${project.roles.assignee}
    from ticket t join project_member m on m.organization_id = t.organization_id and m.project_id = t.project_id
    where t.organization_id = ${organization} and (t.id + m.user_id) % 10 = 0`
  await server.sql`analyze ticket, assignment, project_member`

  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const system = await createSystem(server.system.config, db)
  const app = await buildApp(system)
  recorder.start()
  const { body } = await server.as(caller, queryBoard, { idProject, Group: 'Assignee' }, {}, app)
  const sent = recorder.stop().find(({ text }) => text.includes('gone as materialized')) as Sent
  await app.close()
  closeSystem(system)
  await db.destroy()
  const [held] = await server.sql<{ tickets: number }>`
    select count(distinct (ticket_id, user_id))::int as tickets from assignment where organization_id = ${organization} and not ticket_id = any(${gone})`
  expect(body.Columns.filter(({ Value }) => Value !== '').reduce((sum, { Total }) => sum + Total, 0)).toBe(held?.tickets)
  expect(Math.max(...(await readsOf(server.db, sent, 'gone')))).toBe(1)
})
