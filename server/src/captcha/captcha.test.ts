import { getClientConfig } from '@tessera/contract/people/session'
import { expect, test } from 'vitest'
import { solve, solveCaptcha, startCaptchaProvider } from '../../test/servers/captcha.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { readConfig } from '../config.ts'
import { createAltcha } from './altcha.ts'
import { captchaHosts } from './captcha.ts'

async function outcome({ system }: TestServer, answer: string) {
  return system.captcha.verify(answer, '192.0.2.1').then(
    () => 'accepted',
    (error: { status: number; code: string; message: string }) => {
      expect(error).toMatchObject({ status: 400, code: 'captcha' })
      return /cannot be checked/.test(error.message) ? 'unavailable' : 'refused'
    },
  )
}

test('the built-in captcha takes a solved challenge once, in whatever spelling', async () => {
  await using server = await startServer()
  const answer = await solveCaptcha(server)
  const payload = JSON.parse(Buffer.from(answer, 'base64').toString()) as {
    challenge: { parameters: object; signature: string }
    solution: { counter: number }
  }
  const spell = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2)).toString('base64')
  for (const wrong of [
    ...['', 'x', spell(null), spell([]), spell({}), spell({ ...payload, solution: null })],
    spell({ ...payload, solution: { ...payload.solution, counter: payload.solution.counter + 1, derivedKey: '00' } }),
    spell({
      ...payload,
      challenge: { ...payload.challenge, signature: payload.challenge.signature.replace(/.$/, last => (last === '0' ? '1' : '0')) },
    }),
    spell({ ...payload, challenge: { ...payload.challenge, parameters: { ...payload.challenge.parameters, keyPrefix: '00' } } }),
    spell({ ...payload, challenge: { ...payload.challenge, parameters: { ...payload.challenge.parameters, expiresAt: 4e9 } } }),
  ]) {
    expect(await outcome(server, wrong), wrong).toBe('refused')
  }
  const outcomes = await Promise.all([answer, answer, spell(payload), answer].map(text => outcome(server, text)))
  expect(outcomes.sort()).toEqual(['accepted', 'refused', 'refused', 'refused'])
  expect(
    await outcome(server, spell({ ...payload, challenge: { ...payload.challenge, signature: payload.challenge.signature.toUpperCase() } })),
  ).toBe('refused')
})

test('a solved challenge is taken for ten minutes by the clock of the database', async () => {
  await using server = await startServer()
  const { challenge } = createAltcha(server.system.secret)
  const rows = await server.sql<{ now: number }>`select extract(epoch from now())::float8 as now`
  const now = rows[0]?.now as number
  expect(await outcome(server, await solve(await challenge(now - 605)))).toBe('refused')
  // A margin for busy machines.
  expect(await outcome(server, await solve(await challenge(now - 500)))).toBe('accepted')
})

test('the built-in widget is served from our own address, with the interface of the big providers', async () => {
  await using server = await startServer()
  const { body } = await server.as(null, getClientConfig, {})
  expect(body.captcha).toEqual({ script: '/captcha/api.js', global: 'altchaCaptcha', siteKey: 'builtin', options: {} })
  const script = await server.app.inject({ url: `${body.captcha.script}?render=explicit&onload=ready&hl=en` })
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
  for (const [file, type] of [
    ['altcha.js', 'text/javascript'],
    ['altcha.css', 'text/css'],
    ['worker.js', 'text/javascript'],
  ]) {
    const answer = await server.app.inject({ url: `/captcha/${file}` })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
  }
  const policy = String((await server.app.inject({ url: '/' })).headers['content-security-policy'])
  expect(policy).toContain("worker-src 'self'")
  expect(policy).toContain("frame-src 'none'")
  expect(policy).not.toMatch(/unsafe|https:/)
})

test('a provider gets the secret, its answers count once, and only its hosts are in the policy', async () => {
  await using provider = await startCaptchaProvider()
  for (const [name, host] of [
    ['turnstile', 'https://challenges.cloudflare.com'],
    ['hcaptcha', 'https://*.hcaptcha.com'],
    ['recaptcha', 'https://www.google.com/recaptcha/'],
  ] as const) {
    await using server = await startServer(provider.settings(name))
    provider.asked.length = 0
    provider.behavior = { success: true, challenge_ts: new Date().toISOString(), hostname: 'anywhere.example' }
    expect(await outcome(server, `${name} token`)).toBe('accepted')
    expect(Object.fromEntries(provider.asked[0] ?? [])).toEqual({
      secret: 'secret-key',
      response: `${name} token`,
      remoteip: '192.0.2.1',
      ...(name === 'hcaptcha' && { sitekey: 'site-key' }),
      ...(name === 'turnstile' && { idempotency_key: expect.stringMatching(/^[-0-9a-f]{36}$/) }),
    })
    expect(await outcome(server, `${name} token`)).toBe('refused')
    provider.behavior = { success: false, 'error-codes': ['timeout-or-duplicate'] }
    expect(await outcome(server, 'another')).toBe('refused')
    provider.behavior = { success: true, challenge_ts: new Date(Date.now() - 10 * 60_000).toISOString() }
    expect(await outcome(server, 'an old one')).toBe('refused')
    provider.behavior = { success: true, challenge_ts: 'yesterday' }
    expect(await outcome(server, 'one without a time')).toBe('refused')
    expect((await server.as(null, getClientConfig, {})).body.captcha).toMatchObject({
      siteKey: 'site-key',
      script: expect.stringMatching(/^https:.*api\.js$/),
    })
    const policy = String((await server.app.inject({ url: '/' })).headers['content-security-policy'])
    expect(policy).toContain(host)
    expect(policy).not.toMatch(/ https:[ ;]/)
    expect((await server.app.inject({ url: '/captcha/challenge' })).headers['content-type']).not.toContain('json')
  }
})

test('an answer given on another site is refused where the sites are named', async () => {
  await using provider = await startCaptchaProvider()
  await using server = await startServer({ ...provider.settings(), TESSERA_CAPTCHA_HOSTNAMES: 'tickets.example, www.example' })
  for (const [hostname, expected] of [
    ['www.example', 'accepted'],
    ['evil.example', 'refused'],
    [undefined, 'refused'],
  ]) {
    provider.behavior = { success: true, hostname }
    expect(await outcome(server, `from ${hostname}`)).toBe(expected)
  }
})

test('a provider that is down refuses, after one retry, and is left alone after five failures', { tags: ['long'] }, async () => {
  await using provider = await startCaptchaProvider()
  await using server = await startServer(provider.settings())
  const failures: (typeof provider.behavior)[] = [500, 302, 404, 503]
  for (const behavior of failures) {
    provider.behavior = behavior
    expect(await outcome(server, 'a')).toBe('unavailable')
  }
  expect(provider.asked).toHaveLength(2 * failures.length)
  provider.behavior = 'silent'
  const start = performance.now()
  expect(await outcome(server, 'a')).toBe('unavailable')
  expect(provider.asked).toHaveLength(2 * failures.length + 2)
  // Twice three seconds, and what a busy machine adds.
  expect(performance.now() - start).toBeLessThan(10_000)
  provider.behavior = { success: true }
  const asked = provider.asked.length
  expect(await outcome(server, 'a')).toBe('unavailable')
  expect(provider.asked).toHaveLength(asked)
})

test('a script address of the operator is allowed by the policy', () => {
  const config = readConfig({
    TESSERA_CAPTCHA_PROVIDER: 'recaptcha',
    TESSERA_CAPTCHA_SITE_KEY: 'k',
    TESSERA_CAPTCHA_SECRET: 's',
    TESSERA_CAPTCHA_SCRIPT: 'https://www.recaptcha.net/recaptcha/api.js',
  })
  expect(captchaHosts(config).script[0]).toBe('https://www.recaptcha.net')
})
