import { authenticate } from '@tessera/contract/people/session'
import type { SignedIn } from '@tessera/contract/people/shapes/session'
import { expect, test } from 'vitest'
import { tessera } from '../../test/servers/command.ts'
import { addressOf } from '../../test/servers/process.ts'
import { startServer } from '../../test/servers/server.ts'
import { hashPassword } from '../lib/passwords/passwords.ts'

test('the first super user that the command creates can sign in', async () => {
  await using server = await startServer()
  const { db, system } = server
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: system.config.data, TESSERA_ORGANIZATION: 'Ward' }

  expect(await tessera(settings, 'user', 'create', 'ann')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^There is no organization yet: .*\n$/),
  })
  expect(await tessera(settings, 'user', 'create', 'root', '--super')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Created the user "root" in "Ward", a super user.\n'),
  })
  await db
    .updateTable('user_account')
    .set({ password_hash: await hashPassword('a long enough one') })
    .where('login', '=', 'root')
    .execute()
  const signedIn = await server.as(null, authenticate, { user: 'root', pass: 'a long enough one' })
  expect(signedIn.body).toMatchObject({ auth: 1, orgname: 'Ward', super: 1 })
  const { idUser, orgid } = signedIn.body as SignedIn
  const membership = db.selectFrom('organization_member').select('admin').where('organization_id', '=', orgid).where('user_id', '=', idUser)
  expect(await membership.execute()).toEqual([{ admin: true }])

  // Only the first one gets an organization.
  expect(await tessera(settings, 'user', 'create', 'second', '--super')).toMatchObject({ code: 0 })
  expect((await tessera(settings, 'doctor')).output).toMatch(/^ok {4}people {7}2 accounts in 1 organization$/m)
})
