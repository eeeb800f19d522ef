import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteTicketStates, restoreTicketStates, setTicketState } from '@tessera/contract/projects/project-config'
import { getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { getTicketLinks, removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { purgeTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { linkedTickets } from '../../../../test/fixtures/worlds/linked-tickets.ts'
import { allBut } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('a link is stored once and shown at both ends, each with its own word and with history', async () => {
  const { project, idProject, someone, foreigner, caller, ticket, link, links, history } = await linkedTickets(server)
  const [a, b] = [await ticket('First'), await ticket('Second')]
  const { body } = await link(a, 'blocks', b)
  expect(body).toEqual({ Success: 1, idLink: expect.any(Number) })
  // The same link, from either end, is no change.
  expect((await link(a, 'blocks', b)).body).toEqual(body)
  expect((await link(b, 'blocked-by', a)).body).toEqual(body)
  await link(b, 'relates', a)
  expect(await links(a)).toEqual([
    ['blocks', b],
    ['relates', b],
  ])
  expect(await links(b)).toEqual([
    ['blocked-by', a],
    ['relates', a],
  ])
  expect((await server.as(caller, getTicketLinks, { idTicket: a })).body[0]).toEqual({
    idLink: body.idLink,
    Kind: 'blocks',
    Ticket: { id: b, pcode: 'OPS', Title: 'Second', idState: project.states.open, State: 'Open', Phase: 1, idProject },
  })
  expect(await history(b)).toEqual([
    ['Link', null, `Relates to OPS-${a} First`],
    ['Link', null, `Blocked by OPS-${a} First`],
  ])

  const unpermitted = await someone(allBut(permission.editTickets))
  await expectRefusals(server, getTicketLinks, { input: { idTicket: a }, caller, foreigner })
  await expectRefusals(server, setTicketLink, {
    input: { idTicket: a, idOther: b, Kind: 'duplicates' },
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ idTicket: a, idOther: b, Kind: 'hates' }, 'Kind'],
      [{ idTicket: a, Kind: 'blocks' }, 'idOther'],
    ],
  })
  expect(await link(a, 'relates', a)).toMatchObject({ status: 422, body: { code: 'same_ticket' } })
  await expectRefusals(server, removeTicketLink, { input: { idLink: body.idLink }, caller, foreigner, unpermitted })

  const removed = await Promise.all([1, 2].map(() => server.as(caller, removeTicketLink, { idLink: body.idLink })))
  expect(removed.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(await links(b)).toEqual([['relates', a]])
  expect((await history(a))[0]).toEqual(['Link', `Blocks OPS-${b} Second`, null])
  expect((await server.as(caller, removeTicketLink, { idLink: body.idLink })).status).toBe(404)
})

test('a ticket that the caller may not see is not named in a link and cannot be linked to', async () => {
  const { organization, idProject, foreign, elsewhere, someone, caller, hidden, ticket, link, links, history } = await linkedTickets(server)
  const [seen, unseen] = [await ticket('Seen'), await ticket('Secret', hidden)]
  // Any other permission is not enough.
  await makeMember(server.db, organization, hidden.projectId, caller.idUser, [permission.editTickets])
  const absent = await link(seen, 'blocks', 987_654_321)
  expect(absent.status).toBe(404)
  const without = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
  for (const id of [unseen, await makeTicket(server.db, elsewhere, foreign)]) {
    const refused = await link(seen, 'blocks', id)
    expect([refused.status, without(refused.body as never)]).toEqual([404, without(absent.body as never)])
  }
  const both = await someone(allPermissions)
  await makeMember(server.db, organization, hidden.projectId, both.idUser, 'all')
  expect((await link(seen, 'blocked-by', unseen, both)).status).toBe(200)
  expect(await links(seen, both)).toEqual([['blocked-by', unseen]])
  expect(await links(seen)).toEqual([['blocked-by', null]])
  // Each end has its history in its own project.
  const rows = await server.sql`select project_id as project from change where organization_id = ${organization} and ticket_id = ${unseen}`
  expect(rows).toEqual([{ project: hidden.projectId }])
  expect(await history(seen)).toEqual([['Link', null, 'Blocked by a ticket elsewhere']])
  expect(await history(seen, both)).toEqual([['Link', null, `Blocked by HID-${unseen} Secret`]])
  // A list says that the ticket is blocked, as its page does, and nothing about a ticket that it blocks.
  const after = await ticket('After', hidden)
  expect((await link(seen, 'blocks', after, both)).status).toBe(200)
  const found = async (Query: string, who = caller) =>
    (await server.as(who, queryTickets, { idProject, Query })).body.Tickets.map(({ id }) => id)
  expect([await found('is:blocked'), await found('is:blocking'), await found('is:blocking', both)]).toEqual([[seen], [], [seen]])
  // Permission to edit one end is enough to remove the link.
  const { body } = await server.as(caller, getTicketLinks, { idTicket: seen })
  expect((await server.as(caller, removeTicketLink, { idLink: body[0]?.idLink as number })).body).toEqual({ Success: 1 })
  const editor = await someone([permission.viewTickets])
  await makeMember(server.db, organization, hidden.projectId, editor.idUser, 'all')
  const { idLink } = (await link(seen, 'duplicates', unseen, both)).body
  expect((await server.as(editor, removeTicketLink, { idLink })).status).toBe(200)

  // Who loses the other project while the call waits for its turn links nothing.
  const late = await server.db.transaction().execute(async transaction => {
    await sql`select pg_advisory_xact_lock(hashtextextended('links', ${organization}::bigint))`.execute(transaction)
    const answer = link(seen, 'relates', unseen, both)
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    await sql`delete from project_member where organization_id = ${organization} and project_id = ${hidden.projectId} and user_id = ${both.idUser}`.execute(
      transaction,
    )
    return { answer }
  })
  expect((await late.answer).status).toBe(404)
})

test('blocks and precedes never form a cycle; the refusal names the path', async () => {
  const { ticket, link, links } = await linkedTickets(server)
  const [a, b, c] = [await ticket('A'), await ticket('B'), await ticket('C')]
  await link(a, 'blocks', b)
  await link(b, 'blocks', c)
  const before = await databaseDigest(server.db)
  for (const refused of [await link(c, 'blocks', a), await link(a, 'blocked-by', c)]) {
    expect(refused).toMatchObject({ status: 409, body: { code: 'cycle', error: expect.stringContaining(`OPS-${c} → OPS-${a}`) } })
    expect((refused.body as unknown as { Path: unknown }).Path).toEqual([c, a, b, c].map(id => ({ id, pcode: 'OPS' })))
  }
  expect(await databaseDigest(server.db)).toBe(before)
  // Other kinds may; each kind is for itself.
  for (const kind of ['duplicates', 'relates', 'precedes'] as const) expect((await link(c, kind, a)).status).toBe(200)
  expect((await link(b, 'precedes', c)).status).toBe(200)
  expect((await link(a, 'precedes', c)).status).toBe(409)
  expect(await links(a)).toHaveLength(4)
})

test('two people who link A to B and B to A at once: exactly one wins, every time', async () => {
  const { someone, ticket, link } = await linkedTickets(server)
  const [one, other] = [await someone(allPermissions), await someone(allPermissions)]
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await ticket('A'), await ticket('B')]
    const answers = await Promise.all([link(a, 'blocks', b, one), link(b, 'blocks', a, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('where blockers are enforced, no call moves a blocked ticket into phase Inactive', async () => {
  const { organization, project, idProject, someone, caller, hidden, ticket, link, move } = await linkedTickets(server)
  const { open, doing, done } = project.states
  const [blocker, blocked, secret] = [await ticket('Blocker'), await ticket('Blocked'), await ticket('Secret', hidden)]
  await link(blocker, 'blocks', blocked)
  // Blockers are enforced only where the project says so.
  expect((await move(blocked, done)).status).toBe(200)
  expect((await move(blocked, doing)).status).toBe(200)
  expect((await server.as(caller, setProjectData, { idProject, BlockersHold: 1 })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, getProjectData, { idProject })).body).toMatchObject({ BlockersHold: 1, Archived: 0 })

  const before = await databaseDigest(server.db)
  const refusal = { status: 409, body: { code: 'blocked', Blockers: [{ id: blocker, pcode: 'OPS', Title: 'Blocker' }] } }
  expect(await move(blocked, done)).toMatchObject(refusal)
  expect(await server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement: done })).toMatchObject(refusal)
  expect(await server.as(caller, setTicketState, { idProject, idState: doing, idPhase: 3 })).toMatchObject(refusal)
  expect(await databaseDigest(server.db)).toBe(before)
  // Other moves and other changes are free.
  expect((await move(blocked, open)).status).toBe(200)
  expect((await server.as(caller, setTicketData, { idTicket: blocked, Title: 'Still blocked' })).status).toBe(200)

  // A blocker that the caller may not see is counted, not named.
  const both = await someone(allPermissions)
  await makeMember(server.db, organization, hidden.projectId, both.idUser, 'all')
  expect((await link(secret, 'blocks', blocked, both)).status).toBe(200)
  const partly = await move(blocked, done)
  expect(partly.body).toMatchObject({ error: `Blocked by OPS-${blocker} and a ticket you cannot see`, Unseen: 1 })
  expect((await move(blocker, done)).status).toBe(200)
  const unnamed = await move(blocked, done)
  expect(unnamed).toMatchObject({ status: 409, body: { code: 'blocked', Blockers: [], error: 'Blocked by a ticket you cannot see' } })
  expect(JSON.stringify(unnamed.body)).not.toContain('Secret')
  // In the trash, or gone, it blocks nothing.
  expect((await server.as(both, trashTicket, { idTicket: secret })).status).toBe(200)
  for (const idPhase of [3, 1] as const)
    expect((await server.as(caller, setTicketState, { idProject, idState: open, idPhase })).status).toBe(200)
  expect((await move(blocked, done)).status).toBe(200)
  // What is inactive already stays so in another state.
  expect((await move(blocker, open)).status).toBe(200)
  expect((await server.as(caller, setTicketState, { idProject, idState: doing, idPhase: 3 })).status).toBe(200)
  expect((await move(blocked, doing)).status).toBe(200)
  // Nor does it become inactive with a state that comes back.
  const deleteDoing = (idReplacement: number) => server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement })
  const restoreDoing = () => server.as(caller, restoreTicketStates, { idProject, ids: [doing] })
  expect((await deleteDoing(done)).status).toBe(200)
  expect((await restoreDoing()).body).toEqual({ Success: 1, Tickets: 1 })
  expect((await deleteDoing(open)).status).toBe(200)
  expect(await restoreDoing()).toMatchObject(refusal)
  const ends = (await server.as(both, getTicketLinks, { idTicket: blocked })).body.map(({ Ticket }) => Ticket)
  expect(ends.map(end => [end?.id, end?.Trashed])).toEqual([
    [blocker, undefined],
    [secret, 1],
  ])
  expect((await server.as(both, purgeTicket, { idTicket: secret })).status).toBe(200)
  expect((await server.as(both, getTicketLinks, { idTicket: blocked })).body).toMatchObject([
    { Kind: 'blocked-by', Ticket: { id: blocker } },
  ])
})

test('a ticket counts as blocked in every list of the screens and on its page while its blocker is open', async () => {
  const { organization, project, idProject, someone, caller, hidden, ticket, link, move } = await linkedTickets(server)
  const [blocker, blocked, secret] = [await ticket('Blocker'), await ticket('Blocked'), await ticket('Secret', hidden)]
  const marked = async () => {
    const rows = [
      (await server.as(caller, queryTickets, { idProject })).body.Tickets,
      (await server.as(caller, queryTickets, { idProject, Title: 'Block' })).body.Tickets,
    ].map(list => list.filter(({ Blocked }) => Blocked === 1).map(({ id }) => id))
    const page = (await server.as(caller, getTicketData, { idTicket: blocked })).body.Blocked
    expect(rows).toEqual(rows.map(() => (page === 1 ? [blocked] : [])))
    return page
  }
  expect(await marked()).toBe(0)
  await link(blocker, 'blocks', blocked)
  expect(await marked()).toBe(1)
  await move(blocker, project.states.done)
  expect(await marked()).toBe(0)
  // Tickets that the caller may not see block as well.
  const both = await someone(allPermissions)
  await makeMember(server.db, organization, hidden.projectId, both.idUser, 'all')
  await link(secret, 'blocks', blocked, both)
  expect(await marked()).toBe(1)
  await server.as(both, trashTicket, { idTicket: secret })
  expect(await marked()).toBe(0)
})

test('a purge writes history at the other end of a link, unless that ticket is purged too', async () => {
  const { organization, project, caller, ticket, link, links, history } = await linkedTickets(server)
  const [gone, far] = [await ticket('Gone'), await ticket('Far')]
  const child = await makeTicket(server.db, organization, project, { title: 'Child', parentId: gone })
  await link(gone, 'blocks', far)
  await link(far, 'duplicates', child)
  await link(gone, 'relates', child)
  await server.as(caller, trashTicket, { idTicket: gone })
  expect(await link(far, 'relates', gone)).toMatchObject({ status: 422, body: { code: 'rule' } })
  await server.as(caller, purgeTicket, { idTicket: gone })
  expect(await links(far)).toEqual([])
  expect((await history(far)).slice(0, 2)).toEqual([
    ['Link', 'Duplicates a ticket elsewhere', null],
    ['Link', 'Blocked by a ticket elsewhere', null],
  ])
})

test('a ticket lists unlinked tickets that mention it in a comment or a long text, as far as the caller may see them', async () => {
  const { organization, hidden, elsewhere, caller, ticket, links, link, someone } = await linkedTickets(server)
  const named = await ticket('Named')
  const [inComment, inText, inCode, twice] = [await ticket('A'), await ticket('B'), await ticket('C'), await ticket('D')]
  const [unseen, gone] = [await ticket('Unseen', hidden), await ticket('Gone')]
  const key = `OPS-${named}`
  const references = async (who: Caller = caller) =>
    (await server.as(who, getTicketLinks, { idTicket: named, References: 1 })).body
      .filter(({ Kind }) => Kind === 'mentioned-in')
      .map(({ idLink, Ticket }) => [idLink, Ticket?.id])
  const comment = (idTicket: number, Comment: string, who: Caller = caller) => server.as(who, setTicketComment, { idTicket, Comment })
  const { body } = await comment(inComment, `See ops-${named}, please`)
  await server.as(caller, setTicketData, { idTicket: inText, data: { note: `After ${key}.` } })
  for (const other of [`${key}0`, `X-${named}`, `OPS ${named}`, `OPS${named}`, `MY_${key}`, `https://a.example/${key}`])
    await comment(inCode, other)
  for (const text of [key, `Again (${key})`]) await comment(twice, text)
  await comment(named, `This is ${key}`)
  await comment(gone, key)
  await server.as(caller, trashTicket, { idTicket: gone })
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  await comment(unseen, key, admin)
  expect(await references()).toEqual([twice, inText, inComment].map(id => [undefined, id]))
  expect(await references(admin)).toEqual([unseen, twice, inText, inComment].map(id => [undefined, id]))
  expect(await references(await someone([1]))).toHaveLength(3)

  // They are no links, and are answered on request alone.
  expect(await links(named)).toEqual([])
  await link(named, 'relates', twice)
  expect(await links(named)).toEqual([['relates', twice]])
  expect(await references()).toHaveLength(3)
  // A text that no longer says so is none.
  await comment(inComment, 'nothing')
  await server.as(caller, setTicketComment, { idTicket: inComment, idComment: body.idComment, Comment: 'nothing' })
  await server.as(caller, setTicketData, { idTicket: inText, data: { note: '' } })
  expect(await references()).toEqual([[undefined, twice]])

  const abroad = await makeProject(server.db, elsewhere, { shortCode: 'OPS' })
  const boss = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  await comment(await makeTicket(server.db, elsewhere, abroad), `canary ${key}`, boss)
  expect(await references(admin)).toHaveLength(2)
})
