import { authenticate } from '@tessera/contract/people/session'
import { getPermissionTypes } from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/lib/passwords/passwords.ts'
import { makeOrganization, makeUser } from './fixtures/factories.ts'
import { startServer } from './servers/server.ts'

const everywhere = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' }

test('at an https address cookies are Secure and of this host alone, every answer carries HSTS, and no page opens inside another', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://tickets.example' })
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: await hashPassword('correct horse') })
  const { body, cookies, headers } = await server.as(
    null,
    authenticate,
    { user: 'ann', pass: 'correct horse' },
    { origin: 'https://tickets.example' },
  )
  expect(body).toMatchObject({ auth: 1 })
  for (const cookie of cookies.filter(({ value }) => value !== '')) {
    // The page reads the token of its own requests; everything else is for the browser alone.
    const isToken = cookie.name === 'XSRF-TOKEN'
    expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: cookie.name === '__Host-dev' ? 'Lax' : 'Strict' })
    expect([cookie.name.startsWith('__Host-'), cookie.httpOnly === true, cookie.domain]).toEqual([!isToken, !isToken, undefined])
  }
  expect(cookies.map(({ name }) => name)).toContain('__Host-sid')
  const hsts = { 'strict-transport-security': 'max-age=31536000' }
  expect(headers).toMatchObject({ ...everywhere, ...hsts })
  expect((await server.as(null, getPermissionTypes, {})).headers).toMatchObject({ ...everywhere, ...hsts })

  const pages = [await server.app.inject({ url: '/' }), await server.app.inject({ url: '/tickets/1' })]
  const nonces = pages.map(page => {
    expect(page.headers).toMatchObject({ ...everywhere, ...hsts, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' })
    const policy = String(page.headers['content-security-policy'])
    for (const part of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"]) {
      expect(policy.split(';')).toContain(part)
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    return /script-src 'self' 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1]
  })
  expect(new Set(nonces).size).toBe(2)
})

test('at an http address no HSTS and no Secure cookie is sent', async () => {
  await using server = await startServer({ PUBLIC_URL: 'http://tickets.example' })
  const page = await server.app.inject({ url: '/' })
  expect(page.headers).toMatchObject(everywhere)
  expect(page.headers).not.toHaveProperty('strict-transport-security')
  expect(page.cookies.map(({ name, secure }) => [name, secure])).toEqual([
    ['pre', undefined],
    ['XSRF-TOKEN', undefined],
  ])
})

test('an address that the router cannot read is answered like any other refusal', async () => {
  await using server = await startServer({ PUBLIC_URL: 'https://tickets.example' })
  for (const url of ['/%', '/%ff', '/api/1/private/%', `/browse/${'x'.repeat(101)}`]) {
    const answer = await server.app.inject({ url, headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'The address of the request is not valid', code: 'invalid', requestId: expect.any(String) },
    ])
    expect(answer.headers).toMatchObject({
      ...everywhere,
      'strict-transport-security': 'max-age=31536000',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
  }
})
