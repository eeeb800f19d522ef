import { authenticate, connstate, logout, simulateTimeout } from '@tessera/contract/session'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/factories.ts'
import { startServer } from '../../../test/server.ts'
import { hashPassword } from '../../lib/passwords.ts'

test('signing in, being asked for the organization, signing out', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const passwordHash = await hashPassword('correct horse')
  const ann = await makeUser(server.db, first, { login: 'Ann', passwordHash })
  await server.db.insertInto('organization_member').values({ organization_id: second, user_id: ann }).execute()

  expect((await server.as(null, authenticate, { user: 'ann', pass: 'wrong' })).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'nobody', pass: 'correct horse' })).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'ann', pass: 'correct horse' })).body).toEqual({
    auth: 0,
    orglist: [
      { id: first, name: 'Acme' },
      { id: second, name: 'Bolt' },
    ],
  })
  const answer = await server.as(null, authenticate, { user: 'ann', pass: 'correct horse', orgid: second })
  expect(answer.body).toEqual({
    auth: 1,
    idUser: ann,
    orgname: 'Bolt',
    orgid: second,
    super: 0,
    managedorgs: 0,
    orgperms: [],
    projperms: [],
    projects: [],
    DisplayName: 'Ann',
  })
  const jar = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
  const caller = { idUser: ann, orgid: second, cookies: jar, headers: { 'x-xsrf-token': jar['XSRF-TOKEN'] ?? '' } }
  expect((await server.as(caller, connstate, {})).body).toMatchObject({ auth: 1, orgid: second })
  expect((await server.as(caller, logout, {})).body).toEqual({ Success: 1 })
  expect((await server.as(caller, connstate, {})).body).toEqual({ auth: 0 })
  expect(await server.as(caller, simulateTimeout, {})).toMatchObject({ status: 403, body: { auth: 0 } })
})

test('a simulated time-out ends the session and answers 403', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  expect(await server.as(ann, simulateTimeout, {})).toMatchObject({ status: 403, body: { auth: 0 } })
  expect((await server.as(ann, connstate, {})).body).toEqual({ auth: 0 })
})
