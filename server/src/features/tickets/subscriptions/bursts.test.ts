import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { deleteComment, setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { startSmtp } from '../../../../test/servers/mail.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { recordStatements } from '../../../../test/statements/record-statements.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import { type JobPayloads, quiet } from '../../../lib/background/job-queue.ts'
import { deliverNextNotice } from './jobs.ts'
import { sendNotification } from './notices/ticket-mails.ts'

async function world() {
  const smtp = await startSmtp()
  const server = await startServer({ TESSERA_NOTIFICATION_SECONDS: '0', SMTP_URL: smtp.url })
  const people = await peopledProject(server, { shortCode: 'BUG' })
  const { organization, project } = people
  const watch = (ticket_id: number, user_id: number) =>
    server.sql`
      insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${ticket_id}, ${user_id}, true)`
  return {
    ...{ server, ...people, watch },
    ann: await people.someone('all'),
    ticket: () => makeTicket(server.db, organization, project),
    /** Sends the mails that wait, through this connection if given; returns the text of each with the address before its @. */
    async mails(db = server.db, afterFirst = async () => {}) {
      smtp.mails.length = 0
      const jobs = await server.sql<{ id: string; payload: JobPayloads['send-notification'] }>`
        select id, payload from graphile_worker._private_jobs order by id`
      const system = { ...server.system, db }
      for (const [place, { payload }] of jobs.entries()) {
        await sendNotification(system, payload, quiet)
        if (place === 0) await afterFirst()
      }
      await server.sql`select graphile_worker.complete_jobs(${jobs.map(({ id }) => id)}::bigint[])`
      return new Map(smtp.mails.map(({ to: [to = ''], text }) => [to.split('@')[0], text.replaceAll('\r\n', '\n')]))
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await smtp.stop()
    },
  }
}

test('a burst takes as many statements for many watchers as for one, and is read once for all of their mails', async () => {
  await using w = await world()
  const { server, project, ann, someone, watch } = w
  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const statementsFor = async (watchers: number) => {
    const idTicket = await w.ticket()
    await watch(idTicket, ann.idUser)
    for (let n = 0; n < watchers; n++) await watch(idTicket, (await someone('all', { login: `of-${watchers}-${n}` })).idUser)
    await server.as(ann, setTicketData, { idTicket, State: project.states.doing, data: { note: '**Loud**' } })
    await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it, @nobody' })
    recorder.start()
    expect(await deliverNextNotice({ ...server.system, db })).toBe(true)
    return recorder.stop().length
  }
  await statementsFor(1)
  expect(await statementsFor(30)).toBe(await statementsFor(2))
  recorder.start()
  const mails = await w.mails(db)
  // A statement for each mail. Those of three bursts that read: the ticket, its changes, their names, its fields.
  expect(recorder.stop().length).toBe(mails.size + 3 * 4)
  await db.destroy()
  expect(mails.size).toBe(33)
  for (const text of mails.values())
    for (const change of ['State: Open → Doing', 'Note: **Loud**', 'Comment: Oil it']) expect(text).toContain(change)
})

test('a ticket is saved while mails about it are being queued, and that change is in a mail of its own', async () => {
  await using w = await world()
  const { server, ann, someone, watch } = w
  const idTicket = await w.ticket()
  await watch(idTicket, (await someone('all', { login: 'bob' })).idUser)
  await server.as(ann, setTicketData, { idTicket, Title: 'Loud' })
  const queueing = await server.db.transaction().execute(async db => {
    await sql`lock table graphile_worker._private_jobs in share mode`.execute(db)
    const delivered = deliverNextNotice(server.system)
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    expect((await server.as(ann, setTicketData, { idTicket, Title: 'Very loud' })).status).toBe(200)
    return { delivered }
  })
  expect(await queueing.delivered).toBe(true)
  expect((await w.mails()).get('bob')).toContain('→ Loud')
  expect(await deliverNextNotice(server.system)).toBe(true)
  expect((await w.mails()).get('bob')).toContain('Loud → Very loud')
})

test('what waits for the mail server grows with the number of mails, not with the length of their texts', async () => {
  await using w = await world()
  const { server, ann, someone, watch } = w
  const idTicket = await w.ticket()
  for (let n = 0; n < 3; n++) await watch(idTicket, (await someone('all')).idUser)
  for (let n = 0; n < 50; n++) await server.as(ann, setTicketComment, { idTicket, Comment: `${n} ${'loud '.repeat(1000)}` })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const rows = await server.sql<{ bytes: number }>`select length(payload::text)::int as bytes from graphile_worker._private_jobs`
  expect(rows).toHaveLength(3)
  for (const { bytes } of rows) expect(bytes).toBeLessThan(1000)
})

test('a comment that is deleted between two mails about a burst is not in the second', async () => {
  await using w = await world()
  const { server, ann, someone, watch } = w
  const idTicket = await w.ticket()
  for (const login of ['bob', 'cid']) await watch(idTicket, (await someone('all', { login })).idUser)
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'The password is swordfish' })).body
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const mails = await w.mails(server.db, async () => {
    expect((await server.as(ann, deleteComment, { idComment })).status).toBe(200)
  })
  expect(mails.get('bob')).toContain('swordfish')
  expect(mails.get('cid')).toContain('Comment: Oil it')
  expect(mails.get('cid')).not.toContain('swordfish')
})

test('a person who mutes the ticket before the mail about a mention leaves gets none', async () => {
  await using w = await world()
  const { server, ann, someone } = w
  const idTicket = await w.ticket()
  const [, cid] = [await someone('all', { login: 'bob' }), await someone('all', { login: 'cid' })]
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Ask @bob and @cid' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const mails = await w.mails(server.db, async () => {
    expect((await server.as(cid, setTicketNotification, { idTicket, Notify: 0 })).status).toBe(200)
  })
  expect([...mails.keys()]).toEqual(['bob'])
})

test('what many tickets have in common, a bulk change or its revert, is not told again with another change of one of them', async () => {
  await using w = await world()
  const { server, organization, project, idProject, ann, someone, watch } = w
  const idTicket = await w.ticket()
  await watch(idTicket, (await someone('all', { login: 'bob' })).idUser)
  const Change = { State: project.states.doing }
  await server.as(ann, setTicketData, { idTicket, Title: 'Wheel is loud' })
  const { idPreview } = (await server.as(ann, previewBulkChange, { idProject, Tickets: [idTicket], Change })).body
  const { idChangeSet } = (await server.as(ann, applyBulkChange, { idPreview })).body
  await server.as(ann, revertChangeSet, { idChangeSet })
  await server.as(ann, setTicketData, { idTicket, Title: 'Wheel is quiet' })
  await server.sql`delete from change_set_notice where organization_id = ${organization}`
  // Nor does a notice whose ticket is gone wait for ever.
  await server.sql`insert into ticket_notice (organization_id, ticket_id, first_change_id) values (${organization}, ${idTicket + 1}, 1)`
  while (await deliverNextNotice(server.system));
  expect(await server.sql`select ticket_id from ticket_notice where organization_id = ${organization}`).toEqual([])
  const text = (await w.mails()).get('bob')
  expect(text).toContain('Wheel is quiet')
  expect(text).not.toContain('State:')
})

test('a ticket whose change is being written is mailed afterwards, so that no change is mailed twice', async () => {
  await using w = await world()
  const { server, organization, ann, someone, watch } = w
  const idTicket = await w.ticket()
  await watch(idTicket, (await someone('all', { login: 'bob' })).idUser)
  await server.db.transaction().execute(async db => {
    // As a comment does before its change gets an id, and its notice.
    await sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for share`.execute(db)
    await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it' })
    expect(await deliverNextNotice(server.system)).toBe(false)
  })
  expect(await deliverNextNotice(server.system)).toBe(true)
  expect([...(await w.mails()).keys()]).toEqual(['bob'])
})

test('people with one address get one mail', async () => {
  await using w = await world()
  const { server, organization, idProject, ann, someone, watch } = w
  const idTicket = await w.ticket()
  for (const email of ['team@example.com', 'Team@example.com']) await watch(idTicket, (await someone('all', { email })).idUser)
  await server.as(ann, setTicketData, { idTicket, Title: 'Loud' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  expect((await w.mails()).size).toBe(1)

  // A mail has a hundred changes, and says if there are more.
  for (const [count, isSaid] of [
    [100, false],
    [101, true],
  ] as const) {
    await server.sql`
      with made as (
        insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id)
        select ${organization}, ${count}, 'ticket', ${idTicket}, ${idProject}, ${idTicket}, 'data.note', n::text, (n + 1)::text, ${ann.idUser}
        from generate_series(1, ${count}::int) n returning id
      )
      insert into ticket_notice (organization_id, ticket_id, first_change_id) select ${organization}, ${idTicket}, min(id) from made`
    expect(await deliverNextNotice(server.system)).toBe(true)
    expect([...(await w.mails()).values()].map(text => text.includes('There are more changes'))).toEqual([isSaid])
  }
})

test('no mail names a linked ticket of another project, whoever else may see it', async () => {
  await using w = await world()
  const { server, organization, idProject, ann, watch } = w
  const far = await makeProject(server.db, organization, { shortCode: 'FAR' })
  await makeMember(server.db, organization, far.projectId, ann.idUser, 'all')
  const [idTicket, idOther] = [await w.ticket(), await makeTicket(server.db, organization, far, { title: 'Secret plans' })]
  for (const [login, isIn] of [
    ['insider', true],
    ['outsider', false],
  ] as const) {
    const idUser = await makeUser(server.db, organization, { login })
    await makeMember(server.db, organization, idProject, idUser, 'all')
    if (isIn) await makeMember(server.db, organization, far.projectId, idUser, 'all')
    await watch(idTicket, idUser)
  }
  await server.as(ann, setTicketLink, { idTicket, idOther, Kind: 'blocks' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const mails = await w.mails()
  expect([...mails.keys()].sort()).toEqual(['insider', 'outsider'])
  for (const text of mails.values()) {
    expect(text).toContain('Links: Blocks a ticket elsewhere')
    expect(text).not.toContain('Secret')
  }
})

test('quiet changes do not count towards the hundred of a mail', async () => {
  await using w = await world()
  const { server, organization, idProject, ann, someone, watch } = w
  const idTicket = await w.ticket()
  await watch(idTicket, (await someone('all', { login: 'bob' })).idUser)
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it' })
  // As an import adds links.
  await server.sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after, user_id, quiet)
    select ${organization}, 1, 'ticket', ${idTicket}, ${idProject}, ${idTicket}, 'Link', n::text, ${ann.idUser}, true from generate_series(1, 110) n`
  await server.as(ann, setTicketData, { idTicket, Title: 'Loud' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const text = (await w.mails()).get('bob')
  for (const part of ['Comment: Oil it', '→ Loud']) expect(text).toContain(part)
  expect(text).not.toContain('There are more changes')
})

test('a mail lists the first 100 changes of others, however many of the recipient’s own came before', async () => {
  await using w = await world()
  const { server, project, ann, someone, watch } = w
  const [bob, cid] = [await someone('all', { login: 'bob' }), await someone('all', { login: 'cid' })]
  await someone('all', { login: 'dan' })
  const idTicket = await w.ticket()
  for (const { idUser } of [bob, cid]) await watch(idTicket, idUser)
  for (let n = 1; n <= 102; n++) await server.as(bob, setTicketComment, { idTicket, Comment: `Bob ${n}.` })
  await server.as(ann, setTicketData, { idTicket, State: project.states.doing })
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it, @dan' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  const mails = await w.mails()
  expect([...mails.keys()].sort()).toEqual(['bob', 'cid', 'dan'])
  expect(mails.get('bob')).toContain('State: Open → Doing')
  expect(mails.get('bob')).not.toMatch(/Bob \d|There are more/)
  expect(mails.get('cid')?.match(/Bob \d+\./g)).toHaveLength(100)
  expect(mails.get('cid')).toContain('There are more changes: see the ticket.')
  expect(mails.get('dan')).toMatch(/mentioned you in[\s\S]*Oil it/)
})

test('a mention after a hundred other changes of the same author is mailed', async () => {
  await using w = await world()
  const { server, ann, someone } = w
  await someone('all', { login: 'dan' })
  const idTicket = await w.ticket()
  for (let n = 1; n <= 102; n++) await server.as(ann, setTicketData, { idTicket, Title: `Title ${n}` })
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it, @dan' })
  expect(await deliverNextNotice(server.system)).toBe(true)
  expect((await w.mails()).get('dan')).toMatch(/mentioned you in[\s\S]*Oil it/)
})
