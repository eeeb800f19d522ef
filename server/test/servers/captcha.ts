import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { TestServer } from './server.ts'

/** What the stub does with a question: answer with this body, with this status, or never. */
type Behavior = Record<string, unknown> | number | 'silent'

/** A captcha provider on loopback that counts the questions and keeps what it was asked. */
export async function startCaptchaProvider() {
  const provider = { asked: [] as URLSearchParams[], behavior: { success: true } as Behavior }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      provider.asked.push(new URLSearchParams(body))
      const { behavior } = provider
      if (behavior === 'silent') return
      response.writeHead(typeof behavior === 'number' ? behavior : 200, {
        'content-type': 'application/json',
        // Whoever follows it asks again.
        location: '/',
      })
      response.end(JSON.stringify(typeof behavior === 'number' ? {} : behavior))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  const settings = (name: 'turnstile' | 'hcaptcha' | 'recaptcha' = 'turnstile') => ({
    TESSERA_CAPTCHA_PROVIDER: name,
    TESSERA_CAPTCHA_SITE_KEY: 'site-key',
    TESSERA_CAPTCHA_SECRET: 'secret-key',
    TESSERA_CAPTCHA_VERIFY_URL: url,
  })
  return Object.assign(provider, {
    settings,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** Solves a challenge of the built-in captcha as the widget would. */
export async function solveCaptcha({ app }: Pick<TestServer, 'app'>) {
  return solve((await app.inject({ url: '/captcha/challenge' })).json() as Challenge)
}

export async function solve(challenge: Challenge) {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
