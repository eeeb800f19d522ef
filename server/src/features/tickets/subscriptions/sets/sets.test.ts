import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/bulk'
import { setTicketData, setTicketNotification } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../../test/fixtures/factories.ts'
import { allMailsSent, startSmtp } from '../../../../../test/servers/mail.ts'
import { startServer } from '../../../../../test/servers/server.ts'
import { startTasks } from '../../../../tasks.ts'

async function world() {
  const smtp = await startSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, PUBLIC_URL: 'http://tickets.example', TESSERA_NOTIFICATION_SECONDS: '0' })
  const tasks = await startTasks(server.system, () => undefined)
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization, { shortCode: 'BUG' })
  const person = async (login: string, permissions: readonly number[] | 'all' = 'all') => {
    const idUser = await makeUser(server.db, organization, { login, email: `${login}@example.com` })
    await makeMember(server.db, organization, project.projectId, idUser, permissions)
    return server.signedIn(idUser, organization)
  }
  const ids: number[] = []
  for (let n = 0; n < 30; n++) ids.push(await makeTicket(server.db, organization, project, { title: `Wheel ${n}` }))
  const [ann, bob, cid, dan, out] = [
    await person('ann'),
    await person('bob'),
    await person('cid'),
    await person('dan'),
    await person('out', []),
  ]
  const assign = async (idUser: number, tickets: readonly number[]) => {
    for (const ticket_id of tickets) {
      const row = { organization_id: organization, project_id: project.projectId, ticket_id, user_id: idUser }
      await server.db
        .insertInto('assignment')
        .values({ ...row, role_id: project.roles.assignee })
        .execute()
    }
  }
  const change = async (Change: object, Tickets = ids) => {
    const seen = await server.as(ann, previewBulkChange, { idProject: project.projectId, Tickets, Change })
    return (await server.as(ann, applyBulkChange, { idPreview: seen.body.idPreview })).body
  }
  const settled = () => allMailsSent(server.db)
  return {
    ...{ smtp, server, organization, project, ids, ann, bob, cid, dan, out, assign, change, settled },
    async [Symbol.asyncDispose]() {
      await tasks.stop()
      await server[Symbol.asyncDispose]()
      await smtp.stop()
    },
  }
}

test('a change of many tickets is one mail for each person who follows any of them, and one hint for open pages', async () => {
  await using w = await world()
  const { server, smtp, project, ids, ann, bob, cid, dan, out, assign } = w
  await assign(ann.idUser, ids)
  await assign(bob.idUser, ids)
  await assign(out.idUser, ids)
  await assign(dan.idUser, ids.slice(0, 1))
  await server.as(cid, setTicketNotification, { idTicket: ids[3], Notify: 1 })
  await server.as(dan, setTicketNotification, { idTicket: ids[0], Notify: 0 })
  await w.settled()
  smtp.mails.length = 0
  const { publish } = server.system.live
  const hints: unknown[] = []
  server.system.live.publish = hint => {
    hints.push(hint)
    publish(hint)
  }
  const { idChangeSet } = await w.change({ State: project.states.doing, data: { size: 'l' } })
  await w.settled()
  expect(hints).toHaveLength(1)
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['bob@example.com', 'cid@example.com'])
  const textTo = (login: string) => smtp.mails.find(({ to }) => to[0] === `${login}@example.com`)?.text.replaceAll('\r\n', '\n') ?? ''
  expect(textTo('cid')).toContain('ann changed a ticket that you follow:')
  expect(textTo('cid')).toContain(`BUG-${ids[3]} Wheel 3: `)
  expect(textTo('cid')).toContain('State: Open → Doing')
  expect(textTo('bob')).toContain('ann changed 30 tickets that you follow:')
  expect(textTo('bob').match(/^BUG-/gm)).toHaveLength(20)
  expect(textTo('bob')).toContain('And 10 more.')

  smtp.mails.length = 0
  await server.as(ann, revertChangeSet, { idChangeSet })
  await w.settled()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['bob@example.com', 'cid@example.com'])
  expect(textTo('bob')).toContain('ann reverted a change of 30 tickets')
})

test('a text that mentions somebody in many tickets is one mail, and what is taken back at once is none', async () => {
  await using w = await world()
  const { server, smtp, organization, ids, cid, dan, out } = w
  await server.as(dan, setTicketNotification, { idTicket: ids[0], Notify: 0 })
  await w.change({ data: { note: 'Ask @cid, @dan and @out' } })
  await w.settled()
  // Dan muted one of them, so the others are told.
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['cid@example.com', 'dan@example.com'])
  expect(smtp.mails[0]?.text).toContain('mentioned you')
  await w.change({ data: { note: 'Ask @cid again' } })
  await w.settled()
  expect(smtp.mails).toHaveLength(2)
  expect(out.idUser).toBeGreaterThan(0)

  // Undone before the mail left.
  smtp.mails.length = 0
  await server.as(cid, setTicketNotification, { idTicket: ids[1], Notify: 1 })
  await w.settled()
  smtp.mails.length = 0
  Object.assign(server.system.config, { notificationSeconds: 600 })
  const { idChangeSet } = await w.change({ data: { size: 's' } })
  await server.as(w.ann, revertChangeSet, { idChangeSet })
  const { rows } = await sql`select 1 from change_set_notice where organization_id = ${organization}`.execute(server.db)
  expect(rows).toEqual([])
})

test('an edit and a change of many tickets that come together are told apart, each once', async () => {
  await using w = await world()
  const { server, smtp, project, ids, ann, bob, assign } = w
  await assign(bob.idUser, ids)
  await server.as(ann, setTicketData, { idTicket: ids[0], Title: 'Wheel is loud' })
  await w.change({ State: project.states.doing }, ids.slice(0, 2))
  await w.settled()
  const texts = smtp.mails.map(({ text }) => text)
  expect(texts).toHaveLength(2)
  expect(texts.filter(text => text.includes('Open → Doing'))).toHaveLength(1)
  expect(texts.filter(text => text.includes('Description:'))).toHaveLength(1)
})
