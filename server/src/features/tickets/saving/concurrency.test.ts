import type { Request } from '@tessera/contract/call'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'
import { buildApp } from '../../../app.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import { closeSystem, createSystem } from '../../../process/system.ts'

const server = await serverOfFile()

async function setUp() {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const people = await Promise.all(
    ['ann', 'bob'].map(async login => {
      const id = await makeUser(server.db, organization, { login: `${login}-${organization}` })
      await makeMember(server.db, organization, project.projectId, id, 'all')
      return server.signedIn(id, organization)
    }),
  )
  const [ann, bob] = people as [(typeof people)[0], (typeof people)[0]]
  const save = (who: typeof ann, input: Request<typeof setTicketData>) => server.as(who, setTicketData, input)
  return { organization, project, ann, bob, save }
}

/** Each change starts from the value of the change before: nobody overwrote a value they had not seen. */
async function brokenChains(organization: number) {
  const rows = await server.sql<{ ticket_id: number; field: string; before: string; previous: string }>`
    select * from (
      select ticket_id, field, before, lag(after) over w as previous, lag(id) over w as first from change
      where organization_id = ${organization} and (field in ('Title', 'State') or field like 'data.%') window w as (partition by ticket_id, field order by id)
    ) chain where first is not null and before is distinct from previous`
  return rows
}

test('two people who save different fields of one ticket race: nothing lost, nothing refused', async () => {
  const { organization, project, ann, bob, save } = await setUp()
  const idTicket = await makeTicket(server.db, organization, project)
  for (let race = 0; race < rounds(4); race++) {
    const { Version } = (await server.as(ann, getTicketData, { idTicket })).body
    const [title, note] = [`Title ${race}`, `Note ${race}`]
    const answers = await Promise.all([save(ann, { idTicket, Title: title, Version }), save(bob, { idTicket, data: { note }, Version })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.Version).sort((a, b) => a - b)).toEqual([Version + 1, Version + 2])
    const { body } = await server.as(bob, getTicketData, { idTicket })
    expect([body.Title, body.Fields[0]?.Value]).toEqual([title, note])
  }
  expect(await brokenChains(organization)).toEqual([])
})

test('two people who save one field of one ticket: exactly one gets the conflict', async () => {
  const { organization, project, ann, bob, save } = await setUp()
  const idTicket = await makeTicket(server.db, organization, project)
  for (let race = 0; race < rounds(4); race++) {
    const { Version } = (await server.as(ann, getTicketData, { idTicket })).body
    const part = (name: string) => (race % 2 === 0 ? { Title: `${name} ${race}` } : { data: { note: `${name} ${race}` } })
    const answers = await Promise.all([save(ann, { idTicket, ...part('Ann'), Version }), save(bob, { idTicket, ...part('Bob'), Version })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
  expect(await brokenChains(organization)).toEqual([])
})

test('sixteen saves of one ticket at once all succeed without Version', async () => {
  const { organization, project, ann, save } = await setUp()
  const idTicket = await makeTicket(server.db, organization, project)
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => save(ann, { idTicket, Title: `Title ${index}` })))
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
  expect(new Set(answers.map(({ body }) => body.Version)).size).toBe(16)
  expect(await brokenChains(organization)).toEqual([])
})

test('counters are right after eight clients create, save and move tickets through their states', async () => {
  const { organization, project, ann, bob, save } = await setUp()
  const states = Object.values(project.states)
  const templates = Object.values(project.templates)
  const tickets = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  async function client(number: number) {
    const who = number % 2 === 0 ? ann : bob
    const statuses = new Set<number>()
    for (let step = 0; step < 25; step++) {
      const any = tickets[(number * 31 + step * 17) % tickets.length] as number
      if (step % 3 === 0) {
        const made = await server.as(who, createNewTicket, {
          idProject: project.projectId,
          idTemplate: templates[step % 2] as number,
          Title: `${number} ${step}`,
          ...(step % 2 === 0 ? { idParent: tickets[step % 2] as number } : {}),
        })
        statuses.add(made.status)
        tickets.push(made.body[0] as number)
      } else {
        const saved = await save(who, { idTicket: any, State: states[(number + step) % 3] as number, Title: `${number} ${step}` })
        statuses.add(saved.status)
      }
    }
    return [...statuses]
  }
  expect((await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)))).flat().filter(status => status !== 200)).toEqual([])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  expect(await brokenChains(organization)).toEqual([])
})

test('a child created while its parent goes to the trash and back is created, or refused while the parent is in the trash', async () => {
  const { organization, project, ann } = await setUp()
  const idParent = await makeTicket(server.db, organization, project)
  const put = (trashed: Date | null) =>
    server.sql`
    update ticket set trashed_at = ${trashed}, trash_root_id = ${trashed && idParent}
    where organization_id = ${organization} and id in (
      select id from ticket where organization_id = ${organization} and id = ${idParent} for update skip locked)`
  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  poolOf(db).on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = (async (text: string, ...rest: unknown[]) => {
      // In the trash whenever an attempt begins, out of it whenever nothing holds it while the reason is read.
      if (text === 'begin') await put(new Date())
      if (/ as trashed$/.test(text)) await put(null)
      return query(text, ...rest)
    }) as typeof client.query
  })
  const system = await createSystem(server.system.config, db)
  const app = await buildApp(system)
  const input = { idProject: project.projectId, idTemplate: project.templates.bug, Title: 'Child', idParent }
  expect(await server.as(ann, createNewTicket, input, {}, app)).toMatchObject({
    status: 422,
    body: { error: 'The parent is in the trash and takes no new tickets' },
  })
  closeSystem(system)
  await app.close()
  await db.destroy()
})

test('tickets that enter a state while its phase changes are counted in the new phase', async () => {
  const { organization, project, ann, save } = await setUp()
  const parent = await makeTicket(server.db, organization, project)
  const children = await Promise.all(Array.from({ length: 20 }, () => makeTicket(server.db, organization, project, { parentId: parent })))
  // Like set-ticket-state: lock the state, then recount the parents of its tickets.
  const phaseChange = server.db.transaction().execute(async db => {
    await sql`select 1 from state where organization_id = ${organization} and id = ${project.states.doing} for update`.execute(db)
    await sql`update state set phase = 3 where organization_id = ${organization} and id = ${project.states.doing}`.execute(db)
    await sql`
      update ticket_subordinate set inactive = inactive + active, active = 0 where organization_id = ${organization} and ticket_id = ${parent}`.execute(
      db,
    )
    await sql`select pg_sleep(0.2)`.execute(db)
  })
  const saves = await Promise.all(children.map(idTicket => save(ann, { idTicket, State: project.states.doing })))
  await phaseChange
  expect(saves.map(({ status }) => status)).toEqual(children.map(() => 200))
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})
