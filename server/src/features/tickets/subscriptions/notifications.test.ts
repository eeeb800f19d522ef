import { removeOrganizationMember } from '@tessera/contract/people/organizations'
import { setUserData } from '@tessera/contract/people/profile'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { deleteComment, restoreComment, setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { purgeTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { allMailsSent, endBursts, eventually, makeAllJobsDue, startSmtp } from '../../../../test/servers/mail.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { startTasks } from '../../../tasks.ts'

/** No burst ends by itself while a test makes its changes, unless `seconds` says so. */
async function world(seconds = '3600') {
  const smtp = await startSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, PUBLIC_URL: 'http://tickets.example', TESSERA_NOTIFICATION_SECONDS: seconds })
  const tasks = await startTasks(server.system, () => undefined)
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization, { shortCode: 'BUG' })
  const person = async (login: string, options: { fullName?: string; super?: boolean; admin?: boolean } = {}) => {
    const idUser = await makeUser(server.db, organization, { login, email: `${login}@example.com`, ...options })
    await makeMember(server.db, organization, project.projectId, idUser, 'all')
    return server.signedIn(idUser, organization)
  }
  const [ann, bob, cid] = [await person('ann', { fullName: 'Ann Lee' }), await person('bob'), await person('cid')]
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Wheel squeaks' })
  const mailsSent = async () => {
    await endBursts(server)
    await allMailsSent(server.db)
  }
  return {
    smtp,
    server,
    mailsSent,
    organization,
    project,
    ann,
    bob,
    cid,
    person,
    idTicket,
    assign: (idUser: number) => makeAssignment(server.db, organization, project, idTicket, idUser),
    async [Symbol.asyncDispose]() {
      await tasks.stop()
      await server[Symbol.asyncDispose]()
      await smtp.stop()
    },
  }
}
test('a mail names links and labels in words', async () => {
  await using w = await world()
  const { server, smtp, organization, project, ann, bob, idTicket } = w
  await server.as(bob, setTicketNotification, { idTicket, Notify: 1 })
  const idOther = await makeTicket(server.db, organization, project, { title: 'Axle is bent' })
  const { body } = await server.as(ann, setLabel, { idProject: project.projectId, Label: 'Urgent', Color: '#aa0000' })
  await server.as(ann, setTicketData, { idTicket, Labels: [{ idLabel: body.idLabel, Enabled: 1 }] })
  await server.as(ann, setTicketLink, { idTicket, idOther, Kind: 'blocked-by' })
  await w.mailsSent()
  expect(smtp.mails.map(({ to }) => to)).toEqual([['bob@example.com']])
  expect(smtp.mails[0]?.text).toContain('Labels: Urgent')
  expect(smtp.mails[0]?.text).toContain(`Links: Blocked by BUG-${idOther} Axle is bent`)
})

test('a burst of changes is one mail to each watcher of the ticket, never to their author', async () => {
  await using w = await world()
  const { server, smtp, ann, bob, cid, idTicket, project } = w
  await w.assign(bob.idUser)
  await w.assign(ann.idUser)
  await server.as(cid, setTicketNotification, { idTicket, Notify: 1 })
  await server.as(ann, setTicketData, { idTicket, Title: 'Wheel is loud', State: project.states.doing, data: { size: 'l' } })
  await server.as(ann, setTicketData, {
    idTicket,
    Title: 'Wheel is very loud',
    TicketAssign: [{ idUser: cid.idUser, idRole: project.roles.reviewer, Enabled: 1 }],
  })
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it <b>well</b>' })
  await w.mailsSent()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['bob@example.com', 'cid@example.com'])
  const mail = smtp.mails.find(({ to }) => to[0] === 'bob@example.com')
  expect(mail?.raw).toContain(`Subject: [BUG-${idTicket}] Wheel is very loud`)
  const text = mail?.text.replaceAll('\r\n', '\n') ?? ''
  const [head, ...rest] = text.trim().split('\n\n')
  expect(head).toBe(`Ann Lee changed BUG-${idTicket} Wheel is very loud:`)
  expect(rest.slice(0, 5).sort()).toEqual([
    'Assignees: cid (Reviewer)',
    'Comment: Oil it <b>well</b>',
    'Description: Wheel squeaks → Wheel is very loud',
    'Size: Large',
    'State: Open → Doing',
  ])
  expect(rest[5]).toBe(`Open BUG-${idTicket}:\nhttp://tickets.example/view-ticket/${idTicket}`)
  expect(rest[6]).toMatch(/^-- \nYou get this mail because you watch this ticket\. Stop mails about it: http:\S+\/unsubscribe\/\S+$/)
  const raw = mail?.raw.replaceAll('=\r\n', '')
  expect(raw).toContain('Oil it &lt;b&gt;well')
  // In HTML the footer has a link, not an address as text.
  expect(raw?.replaceAll('=3D', '=')).toMatch(/<a href="http:\S+\/unsubscribe\/\S+">Stop mails about it<\/a>/)
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
})

test('a quiet change is in no mail, also while other changes wait for theirs', async () => {
  await using w = await world()
  const { server, smtp, organization, project, ann, bob, idTicket } = w
  const { projectId: idProject } = project
  await server.as(bob, setTicketNotification, { idTicket, Notify: 1 })
  const { idLabel } = (await server.as(ann, setLabel, { idProject, Label: 'Urgent', Color: '#aa0000' })).body
  await server.sql`insert into ticket_label (organization_id, ticket_id, label_id) values (${organization}, ${idTicket}, ${idLabel})`
  const comment = async (Comment: string) => (await server.as(ann, setTicketComment, { idTicket, Comment })).body.idComment
  // Nothing else: no mail at all.
  await server.as(ann, deleteComment, { idComment: await comment('too early') })
  await w.mailsSent()
  expect(smtp.mails).toEqual([])

  const old = await comment('old')
  await w.mailsSent()
  expect(smtp.mails.map(({ text }) => text.includes('Comment: old'))).toEqual([true])
  await server.as(ann, setTicketData, { idTicket, Title: 'Wheel is loud' })
  await server.as(ann, deleteLabels, { idProject, ids: [idLabel] })
  await server.as(ann, restoreLabels, { idProject, ids: [idLabel] })
  await server.as(ann, deleteComment, { idComment: old })
  await server.as(ann, restoreComment, { idComment: old })
  await server.as(ann, deleteComment, { idComment: await comment('too loud') })
  await comment('kept')
  await w.mailsSent()
  const text = smtp.mails[1]?.text.replaceAll('\r\n', '\n') ?? ''
  expect(text.split('\n\n').filter(part => /^[A-Z]\w+: /.test(part))).toEqual([
    'Description: Wheel squeaks → Wheel is loud',
    'Comment: kept',
  ])
  expect(smtp.mails).toHaveLength(2)
})

test('the one-click link ends the mails about this ticket by POST, not by GET', async () => {
  await using w = await world()
  const { server, smtp, organization, ann, bob, idTicket } = w
  await w.assign(bob.idUser)
  // Somebody else made Bob a watcher.
  const row = { organization_id: organization, ticket_id: idTicket, user_id: bob.idUser, enabled: true, own: false }
  await server.db.insertInto('subscription').values(row).execute()
  await server.as(ann, setTicketData, { idTicket, Title: 'One' })
  await w.mailsSent()
  expect(smtp.mails).toHaveLength(1)
  const link = /^List-Unsubscribe:\s*<http:\/\/tickets\.example([^>]+)>/im.exec(
    smtp.mails[0]?.raw.replace(/\r\n\s/g, '') ?? '',
  )?.[1] as string
  const toggle = async () => (await server.as(bob, getTicketData, { idTicket })).body.NotificationSubscription
  expect(await server.app.inject({ url: link })).toMatchObject({ statusCode: 200, body: expect.stringContaining('Unsubscribe') })
  expect(await toggle()).toBe(1)
  expect((await server.app.inject({ url: `${link}x`, method: 'POST' })).statusCode).toBe(404)
  expect((await server.app.inject({ url: link.replace(`-${bob.idUser}.`, `-${ann.idUser}.`), method: 'POST' })).statusCode).toBe(404)
  const answer = await server.app.inject({
    url: link,
    method: 'POST',
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer).toMatchObject({ statusCode: 200, body: expect.stringContaining('no more mails') })
  expect(await toggle()).toBe(0)
  // It is Bob's own setting now, so a mention is not mailed either.
  await server.as(ann, setTicketData, { idTicket, Title: 'Two', data: { note: '@bob' } })
  await w.mailsSent()
  expect(smtp.mails).toHaveLength(1)
})

test('the creator follows the own ticket; the profile, the toggle, a missing permission and removal end it', async () => {
  await using w = await world('0')
  const { server, smtp, ann, bob, project, organization } = w
  const admin = await w.person('admin', { admin: true })
  const created = await server.as(bob, createNewTicket, { idProject: project.projectId, idTemplate: project.templates.bug, Title: 'New' })
  const [idTicket] = created.body as [number]
  await allMailsSent(server.db)
  expect(smtp.mails).toEqual([])
  let count = 0
  /** Whether Bob is notified of Ann's next change. */
  const told = async () => {
    smtp.mails.length = 0
    await server.as(ann, setTicketData, { idTicket, Title: `Title ${++count}` })
    await allMailsSent(server.db)
    return smtp.mails.map(({ to }) => to[0])
  }
  expect(await told()).toEqual(['bob@example.com'])
  await server.as(bob, setUserData, { AutoReceiveNotifications: false })
  expect(await told()).toEqual([])
  await server.as(bob, setUserData, { AutoReceiveNotifications: true })
  await server.as(bob, setTicketNotification, { idTicket, Notify: 0 })
  expect(await told()).toEqual([])
  await server.as(bob, setTicketNotification, { idTicket, Notify: 1 })
  expect(await told()).toEqual(['bob@example.com'])
  const permissions = (value: number) =>
    server.sql`update project_member set permissions = ${value} where organization_id = ${organization} and user_id = ${bob.idUser}`
  await permissions(0b110)
  expect(await told()).toEqual([])
  await permissions(1)
  expect(await told()).toEqual(['bob@example.com'])
  const disable = (disabled: boolean) => server.sql`update user_account set disabled = ${disabled} where id = ${bob.idUser}`
  await disable(true)
  expect(await told()).toEqual([])
  await disable(false)
  await server.as(admin, removeOrganizationMember, { idOrganization: organization, idUser: bob.idUser })
  expect(await told()).toEqual([])
})

test('a mail that is sent late has no comment that was deleted meanwhile, goes to the present address, and not about a purged ticket', async () => {
  await using w = await world()
  const { server, smtp, organization, project, ann, bob, idTicket } = w
  await w.assign(bob.idUser)
  const purged = await makeTicket(server.db, organization, project)
  await smtp.stop()
  const comment = async (Comment: string, on = idTicket) =>
    (await server.as(ann, setTicketComment, { idTicket: on, Comment })).body.idComment
  const secret = await comment('The password is swordfish, @cid')
  await comment('Oil it')
  await comment('Look, @cid', purged)
  await endBursts(server)
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where run_at > now() + interval '10 seconds'`
    expect(rows).toHaveLength(3)
  })
  await server.as(ann, deleteComment, { idComment: secret })
  await server.as(ann, trashTicket, { idTicket: purged })
  await server.as(ann, purgeTicket, { idTicket: purged })
  await server.sql`update user_account set email = 'bob@example.org' where id = ${bob.idUser}`
  await using again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await w.mailsSent()
  expect(again.mails.map(({ to }) => to)).toEqual([['bob@example.org']])
  expect(again.mails[0]?.text).toContain('Comment: Oil it')
  expect(again.mails[0]?.raw).not.toContain('swordfish')
})

test('a mail that an older version queued whole is sent: to whom it mentions, and without a comment that was deleted meanwhile', async () => {
  await using w = await world()
  const { server, smtp, organization: organizationId, project, ann, bob, cid, idTicket } = w
  await w.assign(bob.idUser)
  const secret = (await server.as(ann, setTicketComment, { idTicket, Comment: 'The password is swordfish' })).body.idComment
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Oil it' })
  const [ids] = await server.sql<{ firstChangeId: number; lastChangeId: number }>`
    select min(id)::int as "firstChangeId", max(id)::int as "lastChangeId" from change where organization_id = ${organizationId}`
  await server.sql`delete from ticket_notice where organization_id = ${organizationId}`
  await server.as(ann, deleteComment, { idComment: secret })
  const about = { organizationId, projectId: project.projectId, ticketId: idTicket }
  const mailOf = (to: string, text: string) => ({ id: to, to: `${to}@example.com`, subject: 'Wheel', text, html: text })
  const comments = { ...ids, ids: [secret], sources: [], isWatching: true }
  for (const job of [
    { mail: mailOf('bob', 'Comment: The password is swordfish'), attempt: 2, about: { ...about, userId: bob.idUser, comments } },
    { mail: mailOf('cid', 'Note: Ask @cid'), attempt: 2, about: { ...about, userId: cid.idUser, mentioned: true } },
  ])
    await server.sql`select graphile_worker.add_job('send-notification', ${JSON.stringify(job)}::json)`
  await allMailsSent(server.db)
  const textTo = (login: string) => smtp.mails.find(({ to }) => to[0] === `${login}@example.com`)?.text
  expect(textTo('cid')).toContain('Note: Ask @cid')
  expect(textTo('bob')).toContain('Comment: Oil it')
  expect(textTo('bob')).not.toContain('swordfish')
})

test('the right to view is checked again when a mail is sent late', async () => {
  await using w = await world()
  const { server, smtp, ann, bob, idTicket, organization } = w
  await w.assign(bob.idUser)
  const gone = await makeUser(server.db, organization, { email: 'gone@example.com', admin: true })
  await server.sql`insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${idTicket}, ${gone}, true)`
  await smtp.stop()
  await server.as(ann, setTicketData, { idTicket, Title: 'Secret plans' })
  await endBursts(server)
  await eventually(async () => {
    const rows = await server.sql`
      select 1 from graphile_worker.jobs where task_identifier = 'send-notification' and run_at > now() + interval '10 seconds'`
    expect(rows).toHaveLength(2)
  })
  await server.sql`update project_member set permissions = 0 where organization_id = ${organization} and user_id = ${bob.idUser}`
  await server.sql`update user_account set disabled = true where id = ${gone}`
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await allMailsSent(server.db)
  expect(again.mails).toEqual([])
  await again.stop()
})

test('notifications queued while the mail server is down are each sent once', async () => {
  await using w = await world('0')
  const { server, smtp, ann, bob, project, organization } = w
  await smtp.stop()
  const tickets = []
  for (let index = 0; index < 8; index++) tickets.push(await makeTicket(server.db, organization, project))
  for (const idTicket of tickets) {
    await server.as(bob, setTicketNotification, { idTicket, Notify: 1 })
    await server.as(ann, setTicketComment, { idTicket, Comment: `About ${idTicket}` })
  }
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where run_at > now() + interval '10 seconds'`
    expect(rows).toHaveLength(tickets.length)
  })
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await allMailsSent(server.db)
  expect(again.mails.map(({ text }) => /About (\d+)/.exec(text)?.[1]).sort()).toEqual(tickets.map(String).sort())
  await again.stop()
})
