import { authenticate, setUp } from '@tessera/contract/people/session'
import { createUser, setUserDataAdmin } from '@tessera/contract/people/users'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { hashPassword } from '../../../lib/passwords/passwords.ts'
import { setUpAddress } from '../../../process/first-run.ts'

const good = [
  'ann',
  'ann.lee-2@example.com',
  'zoë',
  'анна',
  'анна-2',
  'אנה',
  'ελένη',
  'たろう漢字カナ',
  '김철수',
  'tanaka太郎',
  'kimさん-2',
  'ann_1',
  'สมชาย',
  'น้ำ',
  'ຄຳ',
  'սևակ',
  'þórr',
]
const bad = {
  'zero width': 'an\u200bn',
  'word joiner': 'ann\u2060',
  'soft hyphen': 'a\u00adnn',
  'turned right to left': '\u202enna',
  'right-to-left mark': 'ann\u200f',
  'variation selector': 'ann\ufe0f',
  'Hangul filler': 'ann\u3164',
  'empty Braille': 'ann\u2800',
  'Latin with a Cyrillic a': '\u0430nn',
  'Latin with a Greek omicron': 'b\u03bfb',
  'Latin and Hebrew': 'annאנה',
  'Cyrillic and Han': 'анна漢',
  'Latin with a Cyrillic a, and Han': '\u0430nn漢',
  'full width': 'ａｎｎ',
  'letters in two parts': 'zoe\u0308',
  'a Thai letter in two parts': 'น\u0e49\u0e4d\u0e32',
}

test('a login with invisible characters, or that looks like another, is refused at its field by every call', async () => {
  await using server = await startServer()
  const Token = setUpAddress(server.system.config, server.system.secret).split('/').at(-1)
  const first = { Token, Password: 'battery and staple', Organization: 'Acme' }
  const organization = await makeOrganization(server.db)
  const refusal = { status: 422, body: { Success: 0, code: 'rule', fields: [{ path: 'LoginName', message: expect.any(String) }] } }
  for (const [what, LoginName] of Object.entries(bad))
    expect(await server.as(null, setUp, { ...first, LoginName }), what).toMatchObject(refusal)

  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true, super: true }), organization)
  const idUser = await makeUser(server.db, organization, { login: 'plain' })
  const before = await databaseDigest(server.db)
  const person = { Email: 'a@example.com', SendWelcome: 0, ProjectAssign: [] }
  for (const [what, LoginName] of Object.entries(bad)) {
    expect(await server.as(admin, createUser, { ...person, LoginName }), what).toMatchObject(refusal)
    expect(await server.as(admin, setUserDataAdmin, { idUser, LoginName }), what).toMatchObject(refusal)
  }
  expect(await databaseDigest(server.db)).toBe(before)
  for (const LoginName of good)
    expect(await server.as(admin, createUser, { ...person, LoginName }), LoginName).toMatchObject({ status: 200 })
})

test('a user with such a login from before can sign in and be edited', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true, super: true }), organization)
  const passwordHash = await hashPassword('correct horse')
  for (const login of Object.values(bad)) {
    const idUser = await makeUser(server.db, organization, { login, email: 'odd@example.com', passwordHash })
    expect((await server.as(null, authenticate, { user: login, pass: 'correct horse' })).body).toMatchObject({ auth: 1 })
    expect(await server.as(admin, setUserDataAdmin, { idUser, LoginName: login, RealName: 'Ann' })).toMatchObject({ status: 200 })
  }
})
