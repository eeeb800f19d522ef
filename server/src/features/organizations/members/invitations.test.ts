import {
  acceptInvitation,
  getInvitation,
  getOrganizationData,
  removeOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/people/organizations'
import { setUserActive, setUserDataAdmin } from '@tessera/contract/people/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { organizationWorld } from '../../../../test/fixtures/worlds/organization-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('an administrator invites people of the installation: they are members once they accept, as long as the inviting administrator still may', async () => {
  await using server = await startServer()
  const { db } = server
  const { acme, bolt, admin, sam, foreigner } = await organizationWorld(server)
  let second = await server.signedIn(await makeUser(db, acme, { login: 'second', admin: true }), acme)
  const invite = async (caller = admin, part: object = {}) => {
    const answer = await server.as(caller, setOrganizationMember, { idOrganization: acme, LoginName: 'foreigner', ...part })
    const { rows } = await sql<{ mail: { to: string; text: string } }>`
      select payload -> 'mail' as mail from graphile_worker._private_jobs order by id desc limit 1`.execute(db)
    return { answer, to: rows[0]?.mail.to, Token: /\/invitation\/(\S+)$/m.exec(rows[0]?.mail.text ?? '')?.[1] ?? 'no token' }
  }
  const accept = (Token: string) => server.as(null, acceptInvitation, { Token })
  const standing = async () =>
    (await server.as(sam, getOrganizationData, { idOrganization: acme })).body.Members.filter(
      ({ idUser }) => idUser === foreigner.idUser,
    ).map(({ Admin, Manager }) => [Admin, Manager])
  const refused = { status: 422, body: { code: 'rule' } }

  const first = await invite()
  expect(first.answer.body).toEqual({ Success: 1, idUser: foreigner.idUser, Invited: 1 })
  expect(first.to).toBe('foreigner@example.com')
  expect(await standing()).toEqual([])
  const again = await invite(second, { Admin: 1 })
  expect(await accept(first.Token)).toMatchObject(refused)
  expect((await server.as(null, getInvitation, { Token: again.Token })).body).toEqual({ Organization: 'Acme', LoginName: 'foreigner' })
  const before = await databaseDigest(db)
  for (const Token of [`${again.Token}x`, `${bolt}${again.Token}`, 'nothing']) {
    expect(await accept(Token)).toMatchObject(refused)
    expect(await server.as(null, getInvitation, { Token })).toMatchObject(refused)
  }
  expect(await databaseDigest(db)).toBe(before)
  // The inviting administrator loses the right, and gets it back.
  const demote = (Admin: 0 | 1) => server.as(admin, setOrganizationMember, { idOrganization: acme, idUser: second.idUser, Admin })
  await demote(0)
  expect(await accept(again.Token)).toMatchObject(refused)
  await demote(1)
  await server.as(admin, setUserActive, { idUser: second.idUser, Active: 0 })
  expect(await accept(again.Token)).toMatchObject(refused)
  await server.as(admin, setUserActive, { idUser: second.idUser, Active: 1 })
  second = await server.signedIn(second.idUser, acme)
  const age = (hours: number) =>
    sql`update invitation set invited_at = now() - make_interval(hours => ${hours}) where organization_id = ${acme}`.execute(db)
  await age(73)
  expect(await accept(again.Token)).toMatchObject(refused)
  await makeUser(db, bolt, { login: 'peer' })
  const ofPeer = await invite(second, { LoginName: 'peer' })
  const last = await invite(second, { Admin: 1 })
  expect((await accept(last.Token)).body).toEqual({ Success: 1 })
  // Other invitations of the organization stay open.
  expect((await server.as(null, getInvitation, { Token: ofPeer.Token })).body).toMatchObject({ LoginName: 'peer' })
  expect(await standing()).toEqual([[1, 0]])
  expect(await accept(last.Token)).toMatchObject(refused)

  // An invitation that was overtaken does not bring back who was removed.
  expect((await server.as(admin, removeOrganizationMember, { idOrganization: acme, idUser: foreigner.idUser })).status).toBe(200)
  const overtaken = await invite()
  expect((await server.as(sam, setOrganizationMember, { idOrganization: acme, LoginName: 'foreigner' })).body).toEqual({
    Success: 1,
    idUser: foreigner.idUser,
  })
  expect((await server.as(admin, removeOrganizationMember, { idOrganization: acme, idUser: foreigner.idUser })).status).toBe(200)
  expect(await accept(overtaken.Token)).toMatchObject(refused)
  expect(await standing()).toEqual([])

  // A link that was mailed to an address that is not the person's any more.
  const former = await invite()
  expect((await server.as(sam, setUserDataAdmin, { idUser: foreigner.idUser, Email: 'new@example.com' })).status).toBe(404)
  const atHome = await server.signedIn(await makeUser(db, bolt, { login: 'chief', admin: true }), bolt)
  expect((await server.as(atHome, setUserDataAdmin, { idUser: foreigner.idUser, Email: 'new@example.com' })).status).toBe(200)
  await sql`update user_account set email_changed_at = null where id = ${foreigner.idUser}`.execute(db)
  expect(await accept(former.Token)).toMatchObject(refused)
  expect((await server.as(null, getInvitation, { Token: ofPeer.Token })).status).toBe(200)

  const mute = await makeUser(db, bolt, { login: 'mute' })
  await sql`update user_account set email_changed_at = now() where id = ${mute}`.execute(db)
  const unchanged = await databaseDigest(db)
  expect(await server.as(admin, setOrganizationMember, { idOrganization: acme, LoginName: 'mute' })).toMatchObject(refused)
  expect(await databaseDigest(db)).toBe(unchanged)
})
