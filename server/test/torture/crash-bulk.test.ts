import { limits } from '@tessera/contract/limits'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect, poolOf } from '../../src/db/connections/connect.ts'
import { everyCounterRight, recount } from '../fixtures/recount.ts'
import { addressOf, startProcess } from '../servers/process.ts'
import { startServer } from '../servers/server.ts'
import { mailsTo } from './tools/mails.ts'
import { type Browser, hire, rounds } from './tools/product.ts'

const size = 5 * limits.bulkStep + 10
const isLong = process.env.TORTURE_ROUNDS !== undefined
/** A busy machine takes long to start a process. */
const patience = { timeout: 60_000 }

test('kill -9 during a bulk change: the same call completes it as one change set, mailed once, and a revert restores everything', {
  tags: ['long'],
  timeout: isLong ? 3_600_000 : 240_000,
}, async () => {
  await using server = await startServer()
  const { data } = server.system.config
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: data, LOG_LEVEL: 'error', TESSERA_NOTIFICATION_SECONDS: '1' }
  let run = startProcess(settings)
  let address = await run.ready()
  await using _ = { [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() }
  const { host, port, user, database } = poolOf(server.db).options
  await using db = connect({ host, port, user, database }, { poolSize: 2, noTimeLimits: true })
  const { organization, project, people } = await hire(() => address, { host, port, user, database }, 2)
  const [somebody] = people as [Browser]
  const { projectId: idProject, templates, states } = project
  const o = sql.lit(organization)
  await sql`
    with made as (
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${o}, ${idProject}, ${templates.bug}, ${states.open}, 'Ticket ' || n from generate_series(1, ${sql.lit(size)}) n returning id
    ) insert into subscription (organization_id, ticket_id, user_id, enabled, own)
    select ${o}, made.id, m.user_id, true, true from made, organization_member m where m.organization_id = ${o}`.execute(db)
  await sql`insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    values (${o}, ${idProject}, ${templates.bug}, ${states.open}, true, 0, ${size})`.execute(db)
  await sql`insert into root_tally (organization_id, project_id, slot, tickets) values (${o}, ${idProject}, 0, ${size})`.execute(db)
  const ids = (await sql<{ id: number }>`select id from ticket where organization_id = ${o} order by id`.execute(db)).rows.map(
    ({ id }) => id,
  )

  const content = async () => {
    const { rows } = await sql`
      select t.id, t.state_id, nullif(v.value, '') as value from ticket t left join ticket_value v on v.organization_id = ${o} and v.ticket_id = t.id
      where t.organization_id = ${o} order by t.id`.execute(db)
    return rows
  }
  const inState = async (state: number) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ticket where organization_id = ${o} and state_id = ${state}`.execute(db)
    return rows[0]?.n
  }
  const done = async () => {
    const { rows } = await sql<{ done: number }>`
      select done from bulk_preview where organization_id = ${o} order by id desc limit 1`.execute(db)
    return rows[0]?.done ?? 0
  }
  const list = async () =>
    (await somebody.post(getChangeSetList, { idProject, Limit: 1 })).body.map(({ What, Tickets, Reverted }) => [What, Tickets, Reverted])

  /** Kills the server while this call waits for a ticket that is held, and starts it again. Answers how many tickets were done by then. */
  async function killWithin(call: () => Promise<{ status: number }>) {
    const at = limits.bulkStep + Math.floor(Math.random() * (size - limits.bulkStep))
    const held = await db.startTransaction().execute()
    await sql`select 1 from ticket where organization_id = ${o} and id = ${ids[at]} for update`.execute(held)
    const answer = call()
    const expected = at - (at % limits.bulkStep)
    await expect.poll(done, patience).toBe(expected)
    run.child.kill('SIGKILL')
    await run.finished
    await held.rollback().execute()
    expect((await answer).status).not.toBe(200)
    run = startProcess(settings)
    address = await run.ready()
    return expected
  }
  const { rows: members } = await sql<{ login: string }>`
    select u.login from organization_member m join user_account u on u.id = m.user_id where m.organization_id = ${o} order by u.id`.execute(
    db,
  )
  const mails = () => members.map(({ login }) => mailsTo(data).get(login) ?? 0)

  for (let round = 1; round <= rounds(1); round++) {
    const before = await content()
    const Change = { State: states.doing, data: { note: `round ${round}` } }
    const { idPreview } = (await somebody.post(previewBulkChange, { idProject, Tickets: ids, Change })).body
    const part = await killWithin(() => somebody.post(applyBulkChange, { idPreview }))
    // Whole steps, and the list says what was done.
    expect(await inState(states.doing)).toBe(part)
    expect(await list()).toEqual([['bulk', part, 0]])
    const applied = await somebody.post(applyBulkChange, { idPreview })
    expect(applied).toMatchObject({ status: 200, body: { Changed: size, Skipped: [] } })
    expect((await somebody.post(applyBulkChange, { idPreview })).body).toEqual(applied.body)
    expect(await inState(states.doing)).toBe(size)
    expect(await list()).toEqual([['bulk', size, 0]])
    // Who made it needs no mail.
    await expect.poll(mails, patience).toEqual([0, 2 * round - 1])

    const idChangeSet = applied.body.idChangeSet as number
    const revert = () => somebody.post(revertChangeSet, { idChangeSet })
    if (isLong) {
      const partBack = await killWithin(revert)
      expect(await inState(states.open)).toBe(partBack)
    }
    expect(await revert()).toMatchObject({ status: 200, body: { Changed: size, Skipped: [] } })
    expect(await content()).toEqual(before)
    expect(await list()).toEqual([['revert', size, 0]])
    expect(await recount(db, organization)).toEqual(everyCounterRight)
    await expect.poll(mails, patience).toEqual([0, 2 * round])
  }
})
