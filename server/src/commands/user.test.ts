import { authenticate } from '@tessera/contract/people/session'
import type { SignedIn } from '@tessera/contract/people/shapes/session'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/fixtures/backed-up.ts'
import { tessera } from '../../test/servers/command.ts'
import { addressOf, temporaryDirectory } from '../../test/servers/process.ts'
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

test("the first super user may be created before the first start, in an empty database of one's own", async () => {
  using place = temporaryDirectory()
  const { db, url } = await emptyDatabase()
  const settings = { DATABASE_URL: url, TESSERA_DATA: place.folder, TESSERA_ORGANIZATION: 'Ward' }
  expect(await tessera(settings, 'user', 'create', 'ann')).toMatchObject({
    code: 1,
    output: 'The database has no tables of Tessera yet: start the server, or run tessera migrate.\n',
  })
  expect(await tessera(settings, 'user', 'create', 'root', '--super')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Created the user "root" in "Ward", a super user.\n'),
  })
  // A schema that is there is left to the server: others may be using it.
  const { rows } = await sql<{ name: string }>`delete from migration where name = (select max(name) from migration) returning name`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
  expect(await tessera(settings, 'user', 'create', 'second', '--super')).toMatchObject({
    code: 1,
    output: 'The database has the schema of another version: start the server, or run tessera migrate.\n',
  })
})
