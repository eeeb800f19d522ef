import { getUserData } from '@tessera/contract/people/profile'
import { authenticate, connstate, endSessions, getClientConfig, getSessionList, logout, setUp } from '@tessera/contract/people/session'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { lockWaits } from '../../../test/postgres/lock-waits.ts'
import { browser, hash, pass } from '../../../test/servers/browser.ts'
import { startServer } from '../../../test/servers/server.ts'
import { setUpAddress } from '../../process/first-run.ts'

test('CSRF: without a token, with a made-up one, with an old one and with that of another session nothing happens [7.46]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash, admin: true })
  const tab = await browser(server)
  const before = tab.caller.headers['x-xsrf-token'] as string
  await tab.as(authenticate, { user: 'ann', pass })
  const other = await browser(server)
  await other.as(authenticate, { user: 'ann', pass })
  const tokens = ['', 'made.up', before, other.caller.headers['x-xsrf-token'] as string]
  for (const token of tokens) {
    const caller = { ...tab.caller, headers: { 'x-xsrf-token': token } }
    expect(await server.as(caller, endSessions, {})).toMatchObject({ status: 400, body: { code: 'csrf' } })
    expect(await server.as({ ...caller, cookies: { pre: 'x' } }, authenticate, { user: 'ann', pass })).toMatchObject({
      status: 400,
      body: { code: 'csrf' },
    })
  }
  for (const site of ['cross-site', 'same-site']) {
    expect(await server.as(tab.caller, endSessions, {}, { 'sec-fetch-site': site })).toMatchObject({ status: 400, body: { code: 'csrf' } })
  }
  for (const origin of ['https://evil.example', 'null']) {
    expect(await server.as(tab.caller, endSessions, {}, { origin })).toMatchObject({ status: 400, body: { code: 'csrf' } })
  }
  expect((await other.as(getSessionList, {})).body).toHaveLength(2)
  // The browser's word counts, also where a proxy has another name than PUBLIC_URL.
  const throughProxy = { 'sec-fetch-site': 'same-origin', origin: 'https://another-name.example' }
  expect(await server.as(tab.caller, endSessions, {}, throughProxy)).toMatchObject({ status: 200 })
  // Over plain http it gives none, and people may use another name of the server.
  const byAnotherName = { host: 'another-name.example', origin: 'http://another-name.example' }
  expect(await server.as(tab.caller, endSessions, {}, byAnotherName)).toMatchObject({ status: 200 })
})

test('a link or an image on another site cannot sign anybody out', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { origin: 'https://evil.example' },
  ]) {
    expect(await server.as(ann, logout, {}, headers as Record<string, string>)).toMatchObject({ status: 400, body: { code: 'csrf' } })
  }
  expect((await server.as(ann, connstate, {})).body.auth).toBe(1)
  expect(await server.as(null, logout, {})).toMatchObject({ status: 200, body: { Success: 1 } })
})

test('a page of another user gets identity_changed', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  expect(await server.as(ann, endSessions, {}, { 'x-session-user': String(ann.idUser + 1) })).toMatchObject({
    status: 409,
    body: { code: 'identity_changed', idUser: ann.idUser },
  })
  expect(await server.as(ann, endSessions, {}, { 'x-session-user': String(ann.idUser) })).toMatchObject({ status: 200 })
  for (const header of ['ann', `${ann.idUser}.0`, ''])
    expect((await server.as(ann, endSessions, {}, { 'x-session-user': header })).status).toBe(400)
  await server.as(ann, logout, {})
  expect((await server.as(ann, endSessions, {}, { 'x-session-user': 'ann' })).status).toBe(403)
  // The session comes before what is wrong with the request.
  expect((await server.as(ann, endSessions, { ids: 'none' })).status).toBe(403)
})

test('the set-up address creates the first super user, once', async () => {
  await using server = await startServer()
  const token = setUpAddress(server.system.config, server.system.secret).split('/').at(-1) as string
  const first = { LoginName: 'sam', Password: 'a good long phrase', Email: 'sam@example.com', Organization: 'Acme' }
  expect(await server.as(null, setUp, { ...first, Token: 'guess' })).toMatchObject({ status: 422 })
  expect(await server.as(null, setUp, { ...first, Token: token, Password: 'password1' })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  expect(await server.as(null, setUp, { ...first, Token: token, LoginName: 'two words' })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'LoginName' }] },
  })
  const config = async () => (await server.as(null, getClientConfig, {})).body
  expect(await config()).toMatchObject({
    product: 'Tessera',
    language: 'en',
    setUpNeeded: true,
    limits: { passwordMinLength: 8, sessionIdleMinutes: 60 },
  })
  const logins = ['sam', 'pam', 'tom']
  const { begun } = await server.db.transaction().execute(async holder => {
    await sql`select 1 from installation for update`.execute(holder)
    const calls = logins.map(LoginName => server.as(null, setUp, { ...first, Token: token, LoginName }))
    await expect.poll(() => lockWaits(server.db)).toBe(3)
    return { begun: calls }
  })
  const answers = await Promise.all(begun)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  const user = logins[answers.findIndex(({ status }) => status === 200)]
  expect((await config()).setUpNeeded).toBe(false)
  expect(await server.as(null, setUp, { ...first, Token: token, LoginName: 'eve', Organization: 'Eve' })).toMatchObject({ status: 422 })
  expect((await server.as(null, authenticate, { user, pass: first.Password })).body).toMatchObject({
    auth: 1,
    super: 1,
    orgname: 'Acme',
    orgperms: ['Organisation Admin'],
  })
})

test('the first read of a program without cookies gives it a token to post with', async () => {
  await using server = await startServer()
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann' })
  const config = await server.app.inject({ url: getClientConfig.path })
  const cookies = Object.fromEntries(config.cookies.map(({ name, value }) => [name, value]))
  const signIn = await server.app.inject({
    method: 'POST',
    url: authenticate.path,
    cookies,
    headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
    payload: { user: 'ann', pass: 'wrong' },
  })
  expect([signIn.statusCode, signIn.json()]).toEqual([200, { auth: 0 }])
  expect((await server.app.inject({ url: getClientConfig.path, cookies })).cookies).toEqual([])
})

test('a call with an empty body accepts no body at all as {}, and nothing else [7.14]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  const post = (payload: string | undefined, headers: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: getUserData.path,
      cookies: ann.cookies,
      headers: { ...ann.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  expect((await post(undefined, {})).statusCode).toBe(200)
  expect((await post('', { 'content-type': 'application/json' })).statusCode).toBe(200)
  expect((await post('null', { 'content-type': 'application/json' })).statusCode).toBe(400)
  expect((await post('{}', { 'content-type': 'text/plain' })).statusCode).toBe(415)
})
