import { authenticate } from '@tessera/contract/session'
import { getTicketData, queryTickets } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { everyCounterRight, recount } from '../../test/recount.ts'
import { startServer } from '../../test/server.ts'
import { acrossOrganizations } from '../db/across-organizations.ts'
import { problemOfValue } from '../features/tickets/rules.ts'
import { inspectStorage } from '../storage/clean-up.ts'
import { fillDemo } from './fill-demo.ts'

test('the demo is a believable organization: whole, countable, and everybody printed can sign in', async () => {
  await using server = await startServer()
  const { db } = server
  const people = await fillDemo(server.system)
  expect(new Set(people.map(({ password }) => password)).size).toBe(people.length)
  for (const { login, password } of people) {
    const { body } = await server.as(null, authenticate, { user: login, pass: password })
    expect(body).toMatchObject(['mara', 'priya'].includes(login) ? { auth: 0, orglist: expect.any(Array) } : { auth: 1 })
  }

  const { rows: named } = await sql<{
    id: number
  }>`${acrossOrganizations('operator')} select id from organization where title = 'Larkfield'`.execute(db)
  const larkfield = named[0]?.id as number
  expect(await recount(db, larkfield)).toEqual(everyCounterRight)
  const { rows } = await sql<{ tickets: number; projects: number; deep: number; comments: number; attachments: number }>`
    select (select count(*)::int from ticket where organization_id = ${larkfield}) as tickets,
      (select count(*)::int from project where organization_id = ${larkfield}) as projects,
      (select count(*)::int from ticket t join ticket p on p.organization_id = t.organization_id and p.id = t.parent_id
        where t.organization_id = ${larkfield} and p.parent_id is not null) as deep,
      (select count(*)::int from comment where organization_id = ${larkfield}) as comments,
      (select count(*)::int from attachment where organization_id = ${larkfield}) as attachments`.execute(db)
  expect(rows[0]?.projects).toBe(4)
  expect(rows[0]?.tickets).toBeGreaterThan(250)
  expect(rows[0]?.deep).toBeGreaterThan(150)
  expect(rows[0]?.comments).toBeGreaterThan(100)
  expect(rows[0]?.attachments).toBeGreaterThan(15)
  expect((await inspectStorage(db, server.system.storage)).missing).toEqual([])

  const values = await sql<{ type_id: number; options: { value: string }[]; value: string; project_id: number }>`
    select f.type_id, f.options, v.value, f.project_id from ticket_value v
    join field f on f.organization_id = v.organization_id and f.id = v.field_id where v.organization_id = ${larkfield}`.execute(db)
  const wrong = values.rows.filter(
    row => problemOfValue({ typeId: row.type_id, options: row.options }, row.value, () => true) !== undefined,
  )
  expect(wrong).toEqual([])
  const { rows: future } = await sql`select 1 from change where organization_id = ${larkfield} and changed_at > now()`.execute(db)
  expect(future).toEqual([])

  const { id: samuel } = await db.selectFrom('user_account').select('id').where('login', '=', 'samuel').executeTakeFirstOrThrow()
  const caller = await server.signedIn(samuel, larkfield)
  const { id: idProject } = await db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', larkfield)
    .where('short_code', '=', 'OPS')
    .executeTakeFirstOrThrow()
  const list = await server.as(caller, queryTickets, { idProject, Title: 'quay 4' })
  expect(list.status).toBe(200)
  const found = list.body.Tickets.find(({ Title }) => Title.startsWith('Quay 4'))
  const ticket = await server.as(caller, getTicketData, { idTicket: found?.id ?? 0 })
  expect(ticket.body).toMatchObject({ Type: 'Story', pcode: 'OPS', Title: 'Quay 4: three docks torn out' })
  expect(ticket.body.OutputStates.length).toBeGreaterThan(0)
})
