import { setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { getMentionableUsers, getTextNames, setTicketNotification, setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { allMailsSent, endBursts, eventually, makeAllJobsDue, startSmtp } from '../../../../test/servers/mail.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { run } from '../../../db/db.ts'
import { startTasks } from '../../../tasks.ts'
import { deliverNextNotice } from '../subscriptions/jobs.ts'
import { stillTold } from '../subscriptions/watchers.ts'
import { mentionable } from './mentioned-people.ts'

test('people are offered by the beginning of their login or of a word of their name, if they may view the ticket', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, foreigner } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const caller = await someone([1], { login: 'viewer' })
  const member = async (login: string, fullName: string, permissions: readonly number[] = [1]) => {
    const idUser = await makeUser(server.db, organization, { login, fullName })
    await makeMember(server.db, organization, idProject, idUser, permissions)
    return { idUser, Login: login, Name: fullName === '' ? login : fullName }
  }
  const noor = await member('nk', 'Noor Van-Kempen')
  const nora = await member('nora', '')
  const odd = await member('100%_sure', 'Olé Šimon')
  await member('noor-blind', 'Noor Blind', [2, 3, 6])
  const disabled = await member('noor-gone', 'Noor Gone')
  await server.sql`update user_account set disabled = true where id = ${disabled.idUser}`
  await makeUser(server.db, organization, { login: 'noor-outside' })
  await makeUser(server.db, null, { login: 'noor-super', super: true })
  const admin = await makeUser(server.db, organization, { login: 'norbert', admin: true })
  const offered = async (Text: string) => (await server.as(caller, getMentionableUsers, { idTicket, Text })).body

  expect(await offered('NO')).toEqual([noor, nora, { idUser: admin, Login: 'norbert', Name: 'norbert' }])
  expect(await offered('kemp')).toEqual([noor])
  expect(await offered('noor van-k')).toEqual([noor])
  for (const text of ['šim', 'sim', 'OLE', 'Olé'.normalize('NFD')]) expect(await offered(text), text).toEqual([odd])
  expect(await offered('100%_')).toEqual([odd])
  // As an input method for Chinese or Japanese writes them.
  expect(await offered('１００％＿')).toEqual([odd])
  for (const nobody of ['%', '_', '％', '＿', 'oor', 'empen', 'noor-', 'x'.repeat(200)]) expect(await offered(nobody), nobody).toEqual([])
  for (let more = 1; more <= 9; more++) await member(`more-${more}`, '')
  expect(await offered('')).toHaveLength(8)
  await expectRefusals(server, getMentionableUsers, { input: { idTicket, Text: 'n' }, caller, foreigner })
  expect((await server.as(caller, getMentionableUsers, { idTicket, Text: 'x'.repeat(201) })).status).toBe(400)
})

// A cluster's workers count the calls of their functions.
test.skipIf(inject('servers').length > 1)('to offer people, what was typed is folded once, and not for each member', async () => {
  await using server = await startServer()
  const { organization, idProject, someone } = await peopledProject(server)
  for (let n = 0; n < 20; n++) await someone([1], { login: `member-${n}` })
  const { folded, members } = await server.db.transaction().execute(async db => {
    await sql`set local track_functions = 'pl'`.execute(db)
    await sql`set local plan_cache_mode = 'force_generic_plan'`.execute(db)
    expect(await run(db, mentionable, [organization, idProject, 'member'])).toHaveLength(8)
    const { rows } = await sql<{ folded: number; members: number }>`
      select calls::int as folded, (select count(*)::int from organization_member where organization_id = ${organization}) as members
      from pg_stat_xact_user_functions where funcname = 'search_fold'`.execute(db)
    return rows[0] ?? { folded: Number.NaN, members: 0 }
  })
  // Their logins and names, and the text for each of the three ways to match.
  expect(folded).toBeLessThanOrEqual(2 * members + 3)
})

test('tickets, people and labels that texts name are answered as far as the caller may see them', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, elsewhere, foreign, foreigner } = await peopledProject(server, { shortCode: 'OPS' })
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Here' })
  const other = await makeProject(server.db, organization, { shortCode: 'WEB' })
  const [near, far] = [
    await makeTicket(server.db, organization, project, { title: 'Near' }),
    await makeTicket(server.db, organization, other, { title: 'Far' }),
  ]
  const caller = await someone([1], { login: 'Viewer', fullName: 'Vera Lee' })
  const blind = await someone([2], { login: 'blind' })
  const admin = await server.signedIn(await makeUser(server.db, organization, { login: 'boss', admin: true }), organization)
  const input = { idTicket, Tickets: [near, far, 999_999, near], Logins: ['viewer', 'VIEWER', 'boss', 'blind', 'nobody', 'viewer%'] }
  const People = expect.toSatisfy(
    (people: { Login: string }[]) =>
      people
        .map(({ Login }) => Login)
        .sort()
        .join() === 'Viewer,boss',
  )
  expect((await server.as(caller, getTextNames, input)).body).toEqual({ Tickets: [{ id: near, pcode: 'OPS', Title: 'Near' }], People })
  const all = (await server.as(admin, getTextNames, input)).body.Tickets
  expect(all).toHaveLength(2)
  expect(all).toContainEqual({ id: far, pcode: 'WEB', Title: 'Far' })
  const label = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color) values
      (${organization}, ${idProject}, 'Needs Review', '#aa0000'), (${organization}, null, 'needs-review', '#00aa00'),
      (${organization}, ${other.projectId}, 'Hidden', '#0000aa'), (${elsewhere}, null, 'canary', '#0000aa')
    returning id`
  const named = (Labels: string[]) => server.as(caller, getTextNames, { idTicket, Tickets: [], Logins: [], Labels })
  expect((await named(['NEEDS-review', 'hidden', 'canary', 'no%'])).body).toEqual({
    Tickets: [],
    People: [],
    Labels: [
      { idLabel: label[0]?.id, Label: 'Needs Review', Color: '#aa0000' },
      { idLabel: label[1]?.id, Label: 'needs-review', Color: '#00aa00' },
    ],
  })
  const outsider = await makeUser(server.db, organization, { login: 'outside', fullName: 'Olga Out' })
  await makeUser(server.db, elsewhere, { login: 'abroad' })
  const unseeing = { idTicket, Tickets: [], Logins: ['OUTSIDE', 'blind', 'viewer', 'boss', 'abroad'], Outsiders: 1 as const }
  expect((await server.as(caller, getTextNames, unseeing)).body.Outsiders).toEqual([
    { idUser: blind.idUser, Login: 'blind', Name: 'blind', Member: 1 },
    { idUser: outsider, Login: 'outside', Name: 'Olga Out', Member: 0 },
  ])
  const abroad = await makeTicket(server.db, elsewhere, foreign, { title: 'Canary' })
  expect((await server.as(admin, getTextNames, { idTicket, Tickets: [abroad], Logins: [] })).body).toEqual({ Tickets: [], People: [] })
  await expectRefusals(server, getTextNames, {
    input,
    caller,
    foreigner,
    bad: [[{ ...input, Tickets: Array(201).fill(near) }, 'Tickets']],
  })
})

async function mentioning() {
  const smtp = await startSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, PUBLIC_URL: 'http://tickets.example', TESSERA_NOTIFICATION_SECONDS: '3600' })
  const tasks = await startTasks(server.system, () => undefined)
  const { organization, project, someone } = await peopledProject(server, { shortCode: 'OPS' })
  const person = (login: string, permissions: readonly number[] = [1, 3, 6]) =>
    someone(permissions, { login, email: `${login}@example.com` })
  const [ann, bob, cid, dan] = [await person('ann'), await person('bob'), await person('cid'), await person('dan', [2])]
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Wheel squeaks' })
  /** The mails since the last look, once nothing is pending. */
  const mails = async () => {
    await endBursts(server)
    await allMailsSent(server.db)
    return smtp.mails
      .splice(0)
      .map(({ to, text }) => ({ to: to[0]?.replace('@example.com', ''), text }))
      .sort((a, b) => (String(a.to) < String(b.to) ? -1 : 1))
  }
  return {
    ...{ smtp, server, organization, project, ann, bob, cid, dan, idTicket, mails },
    async [Symbol.asyncDispose]() {
      await tasks.stop()
      await server[Symbol.asyncDispose]()
      await smtp.stop().catch(() => undefined)
    },
  }
}

test('a person mentioned in a comment is mailed once, whatever is edited later, and only if they may view the ticket', async () => {
  await using w = await mentioning()
  const { server, ann, idTicket, mails } = w
  const comment = (Comment: string, idComment?: number) =>
    server.as(ann, setTicketComment, { idTicket, Comment, ...(idComment && { idComment }) })
  const { body } = await comment('@bob and @dan, see `@cid`. Signed @ann, @nobody')
  const first = await mails()
  expect(first.map(({ to }) => to)).toEqual(['bob'])
  expect(first[0]?.text).toContain(`ann mentioned you in OPS-${idTicket} Wheel squeaks:`)
  expect(first[0]?.text).toContain('Comment: @bob and @dan')
  expect(first[0]?.text).toContain('You get this mail because a text mentions you')

  await comment('@bob, @dan and now @cid', body.idComment)
  expect((await mails()).map(({ to }) => to)).toEqual(['cid'])
  await comment('nobody', body.idComment)
  await comment('@bob and @cid once more', body.idComment)
  expect(await mails()).toEqual([])
  await comment('Another text, @bob')
  expect((await mails()).map(({ to }) => to)).toEqual(['bob'])
})

test('a login in Greek capitals is mentioned, whatever the case it is typed in', async () => {
  await using server = await startServer({ TESSERA_NOTIFICATION_SECONDS: '0' })
  const { organization, project, someone } = await peopledProject(server)
  const ann = await someone('all')
  await someone('all', { login: 'ΜΑΡΙΑ', email: 'maria@example.com' })
  await someone('all', { login: 'ΝΙΚΟΣ', email: 'nikos@example.com' })
  const idTicket = await makeTicket(server.db, organization, project)
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Please look, @μαρια and @ΝΙΚΟΣ' })
  const People = (await server.as(ann, getTextNames, { idTicket, Tickets: [], Logins: ['μαρια', 'ΝΙΚΟΣ'] })).body.People
  expect(People.map(({ Login }) => Login).sort()).toEqual(['ΜΑΡΙΑ', 'ΝΙΚΟΣ'])
  await deliverNextNotice(server.system)
  const rows = await server.sql<{ to: string }>`
    select u.email as to from graphile_worker._private_jobs j join user_account u on u.id = (j.payload #>> '{about,userId}')::bigint order by 1`
  expect(rows.map(({ to }) => to)).toEqual(['maria@example.com', 'nikos@example.com'])
})

test('a mention in a field is mailed, also to a removed watcher, but not to a person who muted the ticket', async () => {
  await using w = await mentioning()
  const { server, organization, project, ann, bob, cid, idTicket, mails } = w
  await server.as(bob, setTicketNotification, { idTicket, Notify: 0 })
  await server.as(ann, setTicketWatcher, { idTicket, idUser: cid.idUser, Watch: 0 })
  await server.as(ann, setTicketData, { idTicket, data: { note: 'For @bob and @cid', size: 's' } })
  const told = await mails()
  expect(told.map(({ to }) => to)).toEqual(['cid'])
  // A mail that waits is checked again.
  const still = ({ idUser }: typeof bob) => run(server.db, stillTold, [organization, project.projectId, idUser, [idTicket], [idTicket], []])
  expect([await still(bob), await still(cid)]).toEqual([[], [{ email: 'cid@example.com', tickets: [idTicket], gone: false }]])
  expect(told[0]?.text).toContain('Note: For @bob and @cid')
  // A change that does not name them is not for them.
  expect(told[0]?.text).not.toContain('Small')
  await server.as(ann, setTicketData, { idTicket, data: { note: 'Still for @bob and @cid' } })
  expect(await mails()).toEqual([])
})

test('a mention that was cleared before its mail left is told when it is written again', async () => {
  await using w = await mentioning()
  const { server, ann, idTicket, mails } = w
  const note = async (text: string) => expect((await server.as(ann, setTicketData, { idTicket, data: { note: text } })).status).toBe(200)
  await note('Ask @bob')
  await note('')
  expect(await mails()).toEqual([])
  await note('Ask @bob')
  expect((await mails()).map(({ to }) => to)).toEqual(['bob'])
})

test('a watcher who is mentioned gets one mail with all changes; it is not sent after losing the right to view', async () => {
  await using w = await mentioning()
  const { server, smtp, organization, ann, bob, cid, idTicket, mails } = w
  for (const watcher of [ann, bob]) await server.as(watcher, setTicketNotification, { idTicket, Notify: 1 })
  await server.as(ann, setTicketData, { idTicket, Title: 'Loud' })
  await server.as(ann, setTicketComment, { idTicket, Comment: 'Look, @bob. Signed @ann' })
  await server.as(cid, setTicketComment, { idTicket, Comment: 'Yes' })
  await server.as(bob, setTicketData, { idTicket, data: { size: 's' } })
  const told = await mails()
  expect(told.map(({ to }) => to)).toEqual(['ann', 'bob'])
  // Nobody mentions themselves.
  expect(told[0]?.text).toContain('bob changed')
  expect(told[1]?.text).toContain(`ann, cid changed OPS-${idTicket} Loud and mentioned you:`)
  expect(told[1]?.text).toContain('Description: Wheel squeaks → Loud')

  await smtp.stop()
  await server.as(ann, setTicketComment, { idTicket, Comment: 'And you, @cid' })
  await endBursts(server)
  await eventually(async () => {
    // The notice became mails, which could not be sent and wait.
    const rows = await server.sql`
      /* all organizations: job */ select attempts from graphile_worker.jobs where run_at > now() and locked_at is null`
    expect(rows).toHaveLength(2)
  })
  await server.sql`update project_member set permissions = 0 where organization_id = ${organization} and user_id = ${cid.idUser}`
  await using again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await mails()
  // The watcher's mail is sent.
  expect(again.mails.map(({ to }) => to)).toEqual([['bob@example.com']])
})

test('a mail shows text as it was written and as HTML, with pictures as links and no markup of its own', async () => {
  await using w = await mentioning()
  const { server, smtp, ann, idTicket } = w
  const Comment =
    '@bob see **this**:\n\n- one\n\n![shot](attachment:7) [log](attachment:8) <script>alert(1)</script> [x](javascript:alert(1))'
  await server.as(ann, setTicketComment, { idTicket, Comment })
  await endBursts(server)
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  expect(smtp.mails[0]?.text.replaceAll('\r\n', '\n')).toContain(Comment)
  const html = (smtp.mails[0]?.raw.split('Content-Type: text/html')[1] ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  expect(html).toContain('<strong>this</strong>')
  expect(html).toContain('<li>one</li>')
  expect(html).toContain('<a href="http://tickets.example/api/1/private/attachment-download.php?id=7">shot</a>')
  expect(html).toContain('<a href="http://tickets.example/api/1/private/attachment-download.php?id=8">log</a>')
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toMatch(/<script|<img|href="javascript/)
})
