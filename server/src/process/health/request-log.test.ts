import cookie from '@fastify/cookie'
import { authenticate, logout } from '@tessera/contract/people/session'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { hash, pass } from '../../../test/servers/browser.ts'
import { startServer } from '../../../test/servers/server.ts'
import { handlers } from '../../handlers/handlers.ts'
import type { Handler } from '../../http/implement.ts'
import { acceptJson } from '../../http/json/json-body.ts'
import { register } from '../../http/rpc.ts'
import { compileSchemasLazily } from '../../http/schemas/lazy-schemas.ts'
import { logRequests } from './request-log.ts'

test('the metrics tell refused, throttled and accepted sign-ins apart', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  for (const login of ['ann', 'bob']) await makeUser(server.db, organization, { login, passwordHash: hash })
  await server.as(null, authenticate, { user: 'bob', pass })
  for (let guess = 0; guess < 11; guess++) await server.as(null, authenticate, { user: 'ann', pass: 'guess' })
  const { body } = await server.app.inject({ url: '/metrics' })
  expect(body.match(/^tessera_sign_ins_total.*$/gm)?.sort()).toEqual([
    'tessera_sign_ins_total{outcome="accepted"} 1',
    'tessera_sign_ins_total{outcome="refused"} 10',
    'tessera_sign_ins_total{outcome="throttled"} 1',
  ])
})

test('the log says whose account a sign-in, a guess and a sign-out are about', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: line => lines.push(line) } } })
  acceptJson(app)
  compileSchemasLazily(app)
  await app.register(cookie, { hook: false })
  logRequests(app)
  register(app, server.system, [handlers.authenticate, handlers.logout] as unknown as Handler[])
  for (const input of [
    { user: 'ann', pass: 'guess' },
    { user: 'nobody', pass: 'guess' },
    { user: 'ann', pass },
  ])
    await server.as(null, authenticate, input, {}, app)
  await server.as(await server.signedIn(ann, organization), logout, {}, {}, app)
  const answered = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(answered.map(({ call, outcome, account }) => [call, outcome, account])).toEqual([
    ['authenticate', 'refused', ann],
    ['authenticate', 'refused', undefined],
    ['authenticate', 'accepted', ann],
    ['logout', undefined, ann],
  ])
  expect(lines.join()).not.toMatch(/guess|nobody/)
})

test('the log has the outcome of a sign-in but no login name', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: line => lines.push(line) } } })
  logRequests(app)
  app.post('/api/sign-in', async request => {
    request.signIn = 'refused'
    return {}
  })
  app.get('/api/other', async () => ({}))
  await app.inject({ method: 'POST', url: '/api/sign-in', payload: { user: 'ann', pass: 'secret' } })
  await app.inject({ url: '/api/other' })
  const answered = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(answered.map(({ outcome }) => outcome)).toEqual(['refused', undefined])
  expect(JSON.stringify(answered)).not.toMatch(/ann|secret|127\.0\.0\.1/)
})
