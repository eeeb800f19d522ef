import { hash, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { Failure } from '../lib/failure.ts'
import { createAltcha } from './altcha.ts'

export interface Captcha {
  /** Throws 400 `captcha` unless the answer is correct and unused; also when the provider cannot be reached. Call it before the transaction. */
  verify(answer: string, address: string): Promise<void>
}

/** A verified answer. */
interface Proved {
  /** The same for every spelling of the answer. */
  key: string
  /** Seconds since 1970 by the database's clock, which all nodes share. */
  validUntil: number
}

/** Undefined for a wrong answer. Throws when the answer cannot be verified. */
type Check = (answer: string, address: string) => Promise<Proved | undefined>

interface Provider {
  script: string
  /** The object the script puts on the window. */
  global: string
  verifyUrl: string
  /** For the Content-Security-Policy. */
  hosts: { script: string[]; frame: string[]; connect: string[]; style: string[] }
}

const google = ['https://www.google.com/recaptcha/', 'https://www.recaptcha.net/recaptcha/']
const hcaptchaHosts = ['https://hcaptcha.com', 'https://*.hcaptcha.com']
const cloudflare = ['https://challenges.cloudflare.com']
const providers: Record<Exclude<Config['captcha']['provider'], 'builtin'>, Provider> = {
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js',
    global: 'grecaptcha',
    verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    hosts: {
      script: [...google, 'https://www.gstatic.com/recaptcha/', 'https://www.gstatic.cn/recaptcha/'],
      frame: [...google, 'https://recaptcha.google.com/recaptcha/'],
      connect: google,
      style: [],
    },
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    global: 'hcaptcha',
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    hosts: { script: hcaptchaHosts, frame: hcaptchaHosts, connect: hcaptchaHosts, style: hcaptchaHosts },
  },
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    global: 'turnstile',
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    hosts: { script: cloudflare, frame: cloudflare, connect: cloudflare, style: [] },
  },
}

/** What the page needs to show the widget. */
export function captchaForPage({ captcha }: Config) {
  const { provider, siteKey, options } = captcha
  if (provider === 'builtin') return { script: '/captcha/api.js', global: 'altchaCaptcha', siteKey: 'builtin', options }
  return { script: captcha.script ?? providers[provider].script, global: providers[provider].global, siteKey, options }
}

/** The other sites a page may load the widget from; none for the built-in one. */
export function captchaHosts({ captcha }: Config): Provider['hosts'] {
  if (captcha.provider === 'builtin') return { script: [], frame: [], connect: [], style: [] }
  const { hosts } = providers[captcha.provider]
  if (!captcha.script) return hosts
  const { origin } = new URL(captcha.script)
  return { script: [origin, ...hosts.script], frame: [origin, ...hosts.frame], connect: [origin, ...hosts.connect], style: hosts.style }
}

const refused = () => new Failure('captcha', 'The human verification was not accepted: do it again')
const unavailable = () => new Failure('captcha', 'The human verification cannot be checked right now: try again in a minute')

export function createCaptcha(config: Config, db: Db, secret: KeyObject): Captcha {
  const check = config.captcha.provider === 'builtin' ? createAltcha(secret).check : askProvider(config)
  return {
    async verify(answer, address) {
      const proved = await check(answer, address).catch(() => {
        throw unavailable()
      })
      if (proved === undefined || Number.isNaN(proved.validUntil)) throw refused()
      const { rows } = await sql`
        insert into captcha_use (token_hash) select ${hash('sha256', proved.key, 'buffer')}::bytea
        where now() <= to_timestamp(${proved.validUntil}::float8) on conflict do nothing returning 1`.execute(db)
      if (rows.length === 0) throw refused()
    },
  }
}

const timeoutMilliseconds = 3000
const breaker = { failures: 5, restMilliseconds: 30_000 }
/** Older answers are refused; providers let them live for five minutes at most. */
const maxAgeSeconds = 300 + 60

interface ProviderAnswer {
  success?: boolean
  hostname?: string
  challenge_ts?: string
}

/** Runs `work`, but not for a while after several failures in a row: nobody should wait for a provider that is down. */
function circuitBreaker() {
  let failures = 0
  let restsUntil = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (performance.now() < restsUntil) throw new Error('the captcha provider is down')
    try {
      const result = await work()
      failures = 0
      return result
    } catch (error) {
      failures += 1
      if (failures >= breaker.failures) {
        failures = 0
        restsUntil = performance.now() + breaker.restMilliseconds
      }
      throw error
    }
  }
}

function askProvider({ captcha }: Config): Check {
  const { verifyUrl } = providers[captcha.provider as keyof typeof providers]
  const url = captcha.verifyUrl ?? verifyUrl
  const unlessDown = circuitBreaker()

  async function ask(form: Record<string, string>): Promise<ProviderAnswer> {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    })
    if (!answer.ok) throw new Error(`the captcha provider answered ${answer.status}`)
    return (await answer.json()) as ProviderAnswer
  }

  return async (answer, address) => {
    const form = {
      secret: captcha.secret,
      response: answer,
      remoteip: address,
      ...(captcha.provider === 'hcaptcha' ? { sitekey: captcha.siteKey } : {}),
      // Lets the retry identify the same use of a single-use token.
      ...(captcha.provider === 'turnstile' ? { idempotency_key: crypto.randomUUID() } : {}),
    }
    const { success, hostname = '', challenge_ts: at } = await unlessDown(() => ask(form).catch(() => ask(form)))
    const isHere = captcha.hostnames.length === 0 || captcha.hostnames.includes(hostname)
    if (success !== true || !isHere) return undefined
    return { key: answer, validUntil: at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at) / 1000 + maxAgeSeconds }
  }
}
