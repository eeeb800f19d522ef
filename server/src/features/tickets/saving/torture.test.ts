import { moveOnBoard } from '@tessera/contract/tickets/board'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { moveTicket, purgeTicket, restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { startServer } from '../../../../test/servers/server.ts'

const clients = 8
/** `npm run torture:counters` makes ten thousand. */
const operations = Number(process.env.TORTURE_ROUNDS ?? 400)

/** The same numbers for the same seed. (mulberry32) */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

test(`${operations} random operations by ${clients} clients: the recount finds no difference, no tree is broken, nobody meets a deadlock`, {
  timeout: 1_200_000,
}, async () => {
  await using server = await startServer({ LOG_LEVEL: 'error' })
  const organization = await makeOrganization(server.db)
  const projects = [await makeProject(server.db, organization), await makeProject(server.db, organization)]
  const seed = Number(process.env.SEED ?? 20_261_122)
  const made = projects.map((): number[] => [])
  const answers = new Map<string, number>()

  async function client(number: number) {
    const id = await makeUser(server.db, organization)
    for (const { projectId } of projects) await makeMember(server.db, organization, projectId, id, 'all')
    const who = await server.signedIn(id, organization)
    const random = randomFrom(seed + number)
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
    for (let i = 0; i < operations / clients; i++) {
      // Few tickets and two projects, so that clients collide; the newest tickets are chosen more often.
      const at = random(5) === 0 ? 1 : 0
      const [project, tickets] = [projects[at], made[at]] as [(typeof projects)[0], number[]]
      const some = () => tickets[Math.max(0, tickets.length - 1 - random(40))] as number
      const create = async () => {
        const idParent = tickets.length > 0 && random(4) > 0 ? { idParent: some() } : {}
        const input = {
          idProject: project.projectId,
          idTemplate: pick(Object.values(project.templates)),
          Title: `Ticket ${i}`,
          ...idParent,
        }
        const answer = await server.as(who, createNewTicket, input)
        if (answer.status === 200) tickets.push(answer.body[0] as number)
        return answer
      }
      const all: [string, () => Promise<{ status: number; body: unknown }>][] = [
        ['create', create],
        ['move', () => server.as(who, moveTicket, { idTicket: some(), idParent: random(5) === 0 ? null : some() })],
        ['trash', () => server.as(who, trashTicket, { idTicket: some() })],
        ['restore', () => server.as(who, restoreTicket, { idTicket: some() })],
        ['state', () => server.as(who, setTicketData, { idTicket: some(), State: pick(Object.values(project.states)) })],
        ['title', () => server.as(who, setTicketData, { idTicket: some(), Title: `Title ${number} ${i}` })],
        ['comment', () => server.as(who, setTicketComment, { idTicket: some(), Comment: 'text' })],
        ['type', () => server.as(who, setTicketData, { idTicket: some(), idTemplate: pick(Object.values(project.templates)) })],
        ['board', () => server.as(who, moveOnBoard, { idTicket: some(), State: pick(Object.values(project.states)), After: null })],
        ['purge', () => server.as(who, purgeTicket, { idTicket: some() })],
      ]
      const dice = [0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9]
      const [name, run] = tickets.length === 0 ? (all[0] as (typeof all)[0]) : (all[pick(dice)] as (typeof all)[0])
      const { status, body } = await run()
      expect([200, 404, 409, 422], `seed ${seed}, ${name}: ${JSON.stringify(body)}`).toContain(status)
      answers.set(`${name} ${status}`, (answers.get(`${name} ${status}`) ?? 0) + 1)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const seconds = (performance.now() - began) / 1000

  expect(await recount(server.db, organization), `seed ${seed}`).toEqual(everyCounterRight)
  const broken = await server.sql`
    select 'a live ticket below one in the trash' as what, t.id from ticket t join ticket p on p.organization_id = t.organization_id and p.id = t.parent_id
    where t.organization_id = ${organization} and t.trashed_at is null and p.trashed_at is not null
    union all
    select 'in the trash without what took it along', t.id from ticket t
    left join ticket r on r.organization_id = t.organization_id and r.id = t.trash_root_id and r.trash_root_id = r.id
    where t.organization_id = ${organization} and t.trashed_at is not null and r.id is null
    union all
    select 'its own ancestor', id from (
      with recursive up as (
        select id, parent_id from ticket where organization_id = ${organization}
        union select up.id, t.parent_id from up join ticket t on t.organization_id = ${organization} and t.id = up.parent_id
      ) select id from up where id = parent_id) as cycle
    union all
    select 'a state that history does not know', t.id from ticket t
    join lateral (select after from change c where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'State' order by c.id desc limit 1) last on true
    where t.organization_id = ${organization} and last.after <> t.state_id::text
    union all
    select 'a type that history does not know', t.id from ticket t
    join lateral (select after from change c where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'Type' order by c.id desc limit 1) last on true
    where t.organization_id = ${organization} and last.after <> t.template_id::text
    union all
    select 'a parent that history does not know', t.id from ticket t
    join lateral (select after from change c where c.organization_id = ${organization} and c.ticket_id = t.id and c.field = 'Parent' order by c.id desc limit 1) last on true
    where t.organization_id = ${organization} and t.parent_id is not null and last.after is distinct from t.parent_id::text`
  expect(broken, `seed ${seed}`).toEqual([])
  // A few operations need not have one of each.
  if (operations >= 400) {
    expect(answers.get('create 200')).toBeGreaterThan(operations / 20)
    expect(answers.get('move 200')).toBeGreaterThan(0)
    expect(answers.get('restore 200')).toBeGreaterThan(0)
  }
  if (process.env.TORTURE_ROUNDS) {
    const rows = await server.sql<{ deadlocks: number }>`
      select deadlocks::int from pg_stat_database where datname = current_database()`
    console.log(`seed ${seed}: ${operations} operations in ${seconds.toFixed(1)} s, ${rows[0]?.deadlocks} deadlocks behind the scenes`)
    console.log(
      [...answers]
        .sort()
        .map(([what, count]) => `${what}: ${count}`)
        .join(', '),
    )
  }
})
