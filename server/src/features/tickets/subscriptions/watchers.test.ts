import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { getTicketWatchers, moveTicketWatchers, setTicketNotification, setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('watchers are visible to all, added by editors, and a person who muted the ticket is not added', async () => {
  await using server = await startServer()
  const { organization, project, someone, elsewhere, foreigner } = await peopledProject(server)
  const caller = await someone(allPermissions, { login: 'zoe', fullName: 'Zoe' })
  const ann = await someone([1], { login: 'ann', fullName: 'Ann' })
  const unpermitted = await someone(allBut(permission.editTickets))
  const idTicket = await makeTicket(server.db, organization, project)
  const watch = (who: typeof caller, idUser: number, Watch: 0 | 1) => server.as(who, setTicketWatcher, { idTicket, idUser, Watch })
  const watchers = async () => {
    const { body } = await server.as(ann, getTicketWatchers, { idTicket })
    const { Watchers } = (await server.as(ann, getTicketData, { idTicket })).body
    expect(Watchers).toEqual(body.map(({ idUser, Name }) => ({ idUser, Name })))
    return body
  }

  expect((await watch(caller, caller.idUser, 1)).body).toEqual({ Success: 1 })
  expect((await watch(caller, ann.idUser, 1)).body).toEqual({ Success: 1 })
  expect(await watchers()).toEqual([
    { idUser: ann.idUser, Login: 'ann', Name: 'Ann' },
    { idUser: caller.idUser, Login: 'zoe', Name: 'Zoe' },
  ])
  // It is the toggle that each of them has.
  expect((await server.as(ann, getTicketData, { idTicket })).body.NotificationSubscription).toBe(1)
  // Somebody else takes a person off and adds them again.
  await watch(caller, ann.idUser, 0)
  expect((await watchers()).map(({ Login }) => Login)).toEqual(['zoe'])
  expect((await watch(caller, ann.idUser, 1)).status).toBe(200)
  // A person who muted the ticket can only add themselves, for which viewing suffices.
  await server.as(ann, setTicketNotification, { idTicket, Notify: 0 })
  expect(await watch(caller, ann.idUser, 1)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await watchers()).map(({ Login }) => Login)).toEqual(['zoe'])
  expect((await watch(ann, ann.idUser, 1)).status).toBe(200)
  expect(await watchers()).toHaveLength(2)

  const outsider = await makeUser(server.db, organization)
  const stranger = await makeUser(server.db, elsewhere)
  const { idUser: gone } = await someone(allPermissions)
  await server.sql`update user_account set disabled = true where id = ${gone}`
  const before = await databaseDigest(server.db)
  for (const nobody of [outsider, gone])
    expect(await watch(caller, nobody, 1)).toMatchObject({ status: 422, body: { code: 'cannot_view' } })
  // Who may not add anybody does not learn who may view the ticket.
  expect(await watch(unpermitted, outsider, 1)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  for (const nobody of [stranger, 987_654_321]) expect((await watch(caller, nobody, 1)).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  await expectRefusals(server, getTicketWatchers, { input: { idTicket }, caller, foreigner })
  await expectRefusals(server, setTicketWatcher, {
    input: { idTicket, idUser: ann.idUser, Watch: 1 },
    caller,
    foreigner,
    unpermitted,
    bad: [[{ idTicket, idUser: ann.idUser, Watch: 2 }, 'Watch']],
  })
})

test('the watchers of a duplicate move to the ticket that it duplicates, but for those who muted it or may not view it', async () => {
  await using server = await startServer()
  const { organization, project, someone, elsewhere, foreign, foreigner } = await peopledProject(server)
  const caller = await someone(allPermissions, { login: 'zoe' })
  const unpermitted = await someone(allBut(permission.editTickets))
  const other = await makeProject(server.db, organization)
  const [idTicket, idOther] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, other)]
  const [ann, bob, cid] = [await someone([1], { login: 'ann' }), await someone([1], { login: 'bob' }), await someone([1], { login: 'cid' })]
  for (const { idUser } of [ann, bob]) await makeMember(server.db, organization, other.projectId, idUser, [1])
  for (const { idUser } of [caller, ann, bob, cid]) await server.as(caller, setTicketWatcher, { idTicket, idUser, Watch: 1 })
  await server.as(bob, setTicketNotification, { idTicket: idOther, Notify: 0 })
  const admin = await server.signedIn(await makeUser(server.db, organization, { login: 'admin', admin: true }), organization)
  // Ann watches the one of her own accord, and was taken off the other.
  await server.as(ann, setTicketNotification, { idTicket, Notify: 1 })
  for (const Watch of [1, 0]) await server.as(admin, setTicketWatcher, { idTicket: idOther, idUser: ann.idUser, Watch })
  const logins = async (id: number) => (await server.as(admin, getTicketWatchers, { idTicket: id })).body.map(({ Login }) => Login).sort()

  const input = { idTicket, idOther }
  // The caller does not see the other ticket, then may not edit it.
  expect((await server.as(caller, moveTicketWatchers, input)).status).toBe(404)
  await makeMember(server.db, organization, other.projectId, caller.idUser, [1])
  expect(await server.as(caller, moveTicketWatchers, input)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(await server.as(caller, moveTicketWatchers, { idTicket, idOther: idTicket })).toMatchObject({ body: { code: 'same_ticket' } })
  const abroad = await makeTicket(server.db, elsewhere, foreign)
  expect((await server.as(admin, moveTicketWatchers, { idTicket, idOther: abroad })).status).toBe(404)
  const refusal = async () => (await server.as(admin, moveTicketWatchers, input)).body
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id = ${idOther}`
  expect(await refusal()).toMatchObject({ error: 'The other ticket is in the trash and takes no changes' })
  await server.sql`update ticket set trashed_at = null, trash_root_id = null where organization_id = ${organization} and id = ${idOther}`
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${other.projectId}`
  expect(await refusal()).toMatchObject({ error: 'The project of the other ticket is archived and takes no changes' })
  await server.sql`update project set archived_at = null where organization_id = ${organization} and id = ${other.projectId}`
  await expectRefusals(server, moveTicketWatchers, {
    input,
    caller: admin,
    foreigner,
    unpermitted,
    bad: [[{ idTicket, idOther: 'x' }, 'idOther']],
  })
  expect([await logins(idTicket), await logins(idOther)]).toEqual([['ann', 'bob', 'cid', 'zoe'], []])

  expect((await server.as(admin, moveTicketWatchers, input)).body).toEqual({ Success: 1, Moved: 2 })
  expect([await logins(idTicket), await logins(idOther)]).toEqual([
    ['bob', 'cid'],
    ['ann', 'zoe'],
  ])
  expect((await server.as(admin, moveTicketWatchers, input)).body).toEqual({ Success: 1, Moved: 0 })
  // They have not muted it: somebody else may add them again.
  expect((await server.as(admin, setTicketWatcher, { idTicket, idUser: ann.idUser, Watch: 1 })).status).toBe(200)
  // Nor has the person who moves them, among them themselves.
  await server.as(admin, setTicketNotification, { idTicket, Notify: 1 })
  expect((await server.as(admin, moveTicketWatchers, input)).body.Moved).toBe(2)
  expect((await server.as(caller, setTicketWatcher, { idTicket, idUser: admin.idUser, Watch: 1 })).status).toBe(200)
})

test('moving watchers checks the rights to both tickets again under the lock', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const [caller, taker] = [await someone(allPermissions), await someone(allPermissions)]
  const other = await makeProject(server.db, organization)
  const [idTicket, idOther] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, other)]
  for (const { idUser } of [caller, taker]) await makeMember(server.db, organization, other.projectId, idUser, 'all')
  await server.as(caller, setTicketWatcher, { idTicket, idUser: caller.idUser, Watch: 1 })

  for (const lost of [other.projectId, project.projectId]) {
    // As a call does that takes a member out of the project: under the organization's lock, which the other call waits for.
    const moving = await server.db.transaction().execute(async transaction => {
      await sql`select pg_advisory_xact_lock(hashtextextended('rights', ${organization}::bigint))`.execute(transaction)
      let isAnswered = false
      const answer = server.as(caller, moveTicketWatchers, { idTicket, idOther }).finally(() => {
        isAnswered = true
      })
      await expect.poll(async () => isAnswered || (await lockWaits(server.db)) === 1).toBe(true)
      await sql`delete from project_member where organization_id = ${organization} and project_id = ${lost} and user_id = ${caller.idUser}`.execute(
        transaction,
      )
      return { answer }
    })
    expect((await moving.answer).status).toBe(404)
    await makeMember(server.db, organization, lost, caller.idUser, 'all')
  }
  expect((await server.as(taker, getTicketWatchers, { idTicket: idOther })).body).toEqual([])
})
