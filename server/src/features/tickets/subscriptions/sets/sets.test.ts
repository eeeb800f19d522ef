import { setTicketTemplate } from '@tessera/contract/projects/project-config'
import { revertChangeSet } from '@tessera/contract/tickets/bulk'
import { restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { makeTicket, makeUser } from '../../../../../test/fixtures/factories.ts'
import { mailWorld, textTo } from '../../../../../test/fixtures/worlds/mail-world.ts'
import { allMailsSent, endBursts, eventually, makeAllJobsDue, startSmtp } from '../../../../../test/servers/mail.ts'

test('a change of many tickets is one mail for each person who follows any of them, and one hint for open pages', async () => {
  await using w = await mailWorld()
  const { server, smtp, project, ids, ann, bob, cid, dan, out, assign } = w
  await assign(ann.idUser, ids)
  await assign(bob.idUser, ids)
  await assign(out.idUser, ids)
  // A super user sees every project without being a member.
  const sue = await makeUser(server.db, null, { login: 'sue', email: 'sue@example.com', super: true })
  await server.as(await server.signedIn(sue, w.organization), setTicketNotification, { idTicket: ids[5], Notify: 1 })
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
  const told = ['bob@example.com', 'cid@example.com', 'sue@example.com']
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(told)
  expect(textTo(smtp, 'cid')).toContain('ann changed a ticket that you watch:')
  expect(textTo(smtp, 'cid')).toContain(`BUG-${ids[3]} Wheel 3: `)
  expect(textTo(smtp, 'cid')).toContain('State: Open → Doing')
  expect(textTo(smtp, 'bob')).toContain('ann changed 30 tickets that you watch:')
  expect(textTo(smtp, 'bob').match(/^BUG-/gm)).toHaveLength(20)
  expect(textTo(smtp, 'bob')).toContain('And 10 more.')

  smtp.mails.length = 0
  await server.as(ann, revertChangeSet, { idChangeSet, Preview: 1 })
  expect(hints).toHaveLength(1)
  await server.as(ann, revertChangeSet, { idChangeSet })
  expect(hints).toHaveLength(2)
  await w.settled()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(told)
  expect(textTo(smtp, 'bob')).toContain('ann reverted a change of 30 tickets')
})

test('a text that mentions somebody in many tickets is one mail; if it is reverted at once there is none', async () => {
  await using w = await mailWorld()
  const { server, smtp, organization, ids, cid, dan, out } = w
  await server.as(dan, setTicketNotification, { idTicket: ids[0], Notify: 0 })
  await w.change({ data: { note: 'Ask @cid, @dan and @out' } })
  await w.settled()
  // Dan muted one of them, so his mail names the others.
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
  // A purged ticket has no changes left to mail.
  await server.sql`delete from ticket where organization_id = ${organization} and id = ${Number(ids[29])}`
  expect((await server.as(w.ann, revertChangeSet, { idChangeSet })).body).toMatchObject({ Changed: 29, Skipped: [{ id: ids[29] }] })
  const rows = await server.sql`select 1 from change_set_notice where organization_id = ${organization}`
  expect(rows).toEqual([])
})

test('a person who watches one ticket and is mentioned in others gets one mail about all of them', async () => {
  await using w = await mailWorld()
  const { server, smtp, ids, cid } = w
  await server.as(cid, setTicketNotification, { idTicket: ids[0], Notify: 1 })
  await w.change({ data: { note: 'Ask @cid' } }, ids.slice(0, 3))
  await w.settled()
  expect(textTo(smtp, 'cid')).toContain('ann changed 3 tickets and mentioned you:')
  expect(textTo(smtp, 'cid').match(/^BUG-/gm)).toHaveLength(3)
})

test('a person whom a text mentions gets that text, and of tickets that they watch all changes', async () => {
  await using w = await mailWorld()
  const { server, smtp, project, ids, cid } = w
  await server.as(cid, setTicketNotification, { idTicket: ids[0], Notify: 1 })
  await w.change({ State: project.states.doing, data: { note: 'Ask @cid', size: 's' } }, ids.slice(0, 2))
  await w.settled()
  const [watched = '', named = ''] = textTo(smtp, 'cid').match(/^BUG-.*$/gm) ?? []
  for (const change of ['State: Open → Doing', 'Note: Ask @cid', 'Size: Small']) expect(watched).toContain(change)
  expect(named).toBe(`BUG-${ids[1]} Wheel 1: Note: Ask @cid`)

  // The jobs of many people have the beginning of a long text, as the mails do.
  await smtp.stop()
  await w.change({ data: { note: `Ask @dan ${'loud '.repeat(2000)}` } }, ids.slice(0, 2))
  const jobs = () => server.sql<{ bytes: number }>`
    select length(payload::text)::int as bytes from graphile_worker._private_jobs where payload -> 'set' is not null`
  await expect.poll(jobs).toHaveLength(2)
  for (const { bytes } of await jobs()) expect(bytes).toBeLessThan(6000)
})

test('two texts mention people: each person is mailed about the tickets of their text', async () => {
  await using w = await mailWorld()
  const { server, smtp, ids } = w
  const set = async (idTicket: number, note: string) => server.as(w.ann, setTicketData, { idTicket, data: { note } })
  await set(Number(ids[0]), 'Ask @cid')
  await set(Number(ids[1]), '@cid may know')
  const { idChangeSet } = await w.change({ data: { note: '' } }, ids.slice(0, 2))
  await w.settled()
  // As if nobody had been mailed about the texts yet.
  await server.sql`delete from mention where organization_id = ${w.organization}`
  smtp.mails.length = 0
  await server.as(w.ann, revertChangeSet, { idChangeSet })
  await w.settled()
  expect(textTo(smtp, 'cid')).toContain('ann reverted a change of 2 tickets and mentioned you:')
})

test('whoever watches a ticket is told once when it is trashed or restored with another one, alone or among many', async () => {
  await using w = await mailWorld()
  const { server, smtp, organization, project, ann, bob, cid, dan } = w
  const top = await makeTicket(server.db, organization, project, { title: 'Cart' })
  const below: number[] = []
  for (const Title of ['Axle', 'Hub']) {
    const input = { idProject: project.projectId, idTemplate: project.templates.bug, Title, idParent: top }
    below.push(...(await server.as(ann, createNewTicket, input)).body)
  }
  await w.assign(bob.idUser, below)
  await w.assign(cid.idUser, [top, ...below])
  await w.assign(dan.idUser, below)
  await server.as(dan, setTicketNotification, { idTicket: below[0], Notify: 0 })
  const told = async () => {
    await w.settled()
    const mails = smtp.mails.map(({ to: [to = ''], text }) => [to.split('@')[0], text.match(/^BUG-.*$|^Trash.*$/gm)])
    smtp.mails.length = 0
    return Object.fromEntries(mails)
  }
  await told()

  const [axle, hub] = [`BUG-${below[0]} Axle: Trash: `, `BUG-${below[1]} Hub: Trash: `]
  const trashed = `In the trash with BUG-${top} Cart`
  await server.as(ann, trashTicket, { idTicket: top })
  expect(await told()).toEqual({ cid: ['Trash: In the trash'], bob: [axle + trashed, hub + trashed], dan: [hub + trashed] })
  await server.as(ann, restoreTicket, { idTicket: top })
  const restored = `${trashed} → none`
  expect(await told()).toEqual({ cid: ['Trash: In the trash (removed)'], bob: [axle + restored, hub + restored], dan: [hub + restored] })
  await w.change({ Trash: 1 }, [top])
  expect(await told()).toEqual({
    cid: [`BUG-${top} Cart: Trash: In the trash`],
    bob: [axle + trashed, hub + trashed],
    dan: [hub + trashed],
  })
})

test('a person whom the texts of a new ticket and of its children from the template mention gets one mail', async () => {
  await using w = await mailWorld()
  const { server, smtp, ann, project } = w
  const { projectId: idProject, templates } = project
  const setDefaults = async (idTicketTemplate: number, Defaults: object) =>
    expect((await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate, Defaults })).status).toBe(200)
  await setDefaults(templates.task, { data: { note: 'Ask @cid' } })
  const Children = ['Axle', 'Hub'].map(Title => ({ idTemplate: templates.task, Title }))
  await setDefaults(templates.bug, { data: { note: 'For @cid and @dan' }, Children })
  expect((await server.as(ann, createNewTicket, { idProject, idTemplate: templates.bug, Title: 'Cart' })).status).toBe(200)
  await w.settled()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['cid@example.com', 'dan@example.com'])
  expect(textTo(smtp, 'cid')).toContain('ann created 3 tickets and mentioned you:')
  const rows = textTo(smtp, 'cid').match(/^BUG-.*$/gm) ?? []
  expect(rows.map(row => row.replace(/^BUG-\d+ /, '')).sort()).toEqual([
    'Axle: Note: Ask @cid',
    'Cart: Note: For @cid and @dan',
    'Hub: Note: Ask @cid',
  ])
  expect(textTo(smtp, 'dan')).toMatch(/ann mentioned you in BUG-\d+ Cart:/)
})

test('a mention that is added to a new ticket at once is mailed as it was written, also if its children mention the person', async () => {
  await using w = await mailWorld(60)
  const { server, smtp, ann, project } = w
  const { projectId: idProject, templates } = project
  const Defaults = { Children: [{ idTemplate: templates.task, Title: 'Axle' }] }
  await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate: templates.task, Defaults: { data: { note: 'Ask @cid' } } })
  await server.as(ann, setTicketTemplate, { idProject, idTicketTemplate: templates.bug, Defaults })
  const [idTicket] = (await server.as(ann, createNewTicket, { idProject, idTemplate: templates.bug, Title: 'Cart' })).body
  await server.as(ann, setTicketData, { idTicket, data: { note: 'Urgent, @cid' } })
  await endBursts(server)
  await w.settled()
  const texts = smtp.mails.filter(({ to }) => to[0] === 'cid@example.com').map(({ text }) => text)
  expect(texts.join('\n')).toContain('Note: Urgent, @cid')
  expect(texts.join('\n')).toContain('Axle: Note: Ask @cid')
})

test('a ticket that is muted before the mail is sent is left out of it; the others are in it', async () => {
  await using w = await mailWorld()
  const { server, smtp, organization, project, ids, bob, cid, dan } = w
  for (const { idUser } of [bob, dan]) await w.assign(idUser, ids.slice(0, 3))
  await w.settled()
  await smtp.stop()
  await w.change({ State: project.states.doing, data: { note: 'Ask @cid' } }, ids.slice(0, 3))
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where run_at > now() + interval '10 seconds'`
    expect(rows).toHaveLength(3)
  })
  // Dan may no longer view the project.
  await server.sql`update project_member set permissions = 0 where organization_id = ${organization} and user_id = ${dan.idUser}`
  await server.as(bob, setTicketNotification, { idTicket: ids[0], Notify: 0 })
  for (const idTicket of ids.slice(0, 3)) await server.as(cid, setTicketNotification, { idTicket, Notify: 0 })
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await allMailsSent(server.db)
  expect(again.mails.map(({ to }) => to[0])).toEqual(['bob@example.com'])
  expect(textTo(again, 'bob')).toContain('ann changed 2 tickets that you watch:')
  expect(textTo(again, 'bob')).not.toContain(`BUG-${ids[0]} `)
  await again.stop()
})

test('an edit and a bulk change at the same time are mailed separately, each once', async () => {
  await using w = await mailWorld()
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
