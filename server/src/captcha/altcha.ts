import { createHmac, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Challenge, createChallenge, randomInt, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance } from 'fastify'
import { type Db, queryRows } from '../db/db.ts'
import { float8 } from '../db/shape.ts'

// The built-in captcha: a proof of work, without third parties and tracking.

/** altcha-browser.js requests a new challenge a little earlier. */
const minutes = 10
/** Solving takes 2,000 derivations on average, a second of one core; checking takes one. */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 1000, from: 1500, to: 2500 }

/**
 * `check` gives the challenge's own signature as the key, so that two spellings of an answer count as one. The expiry of a challenge is in its signed data and not where the library looks for it,
 * because the library compares it with the clocks of this node and of the browser.
 */
export function createAltcha(secret: KeyObject) {
  const hmacSignatureSecret = createHmac('sha256', secret).update('captcha').digest('hex')
  return {
    challenge: (now: number) =>
      createChallenge({
        algorithm: work.algorithm,
        cost: work.cost,
        counter: randomInt(work.to, work.from),
        deriveKey,
        data: { validUntil: Math.floor(now) + minutes * 60 },
        hmacSignatureSecret,
      }),
    async check(answer: string) {
      const payload = read(answer)
      if (payload === undefined) return undefined
      try {
        const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret })
        const validUntil = Number(payload.challenge.parameters.data?.validUntil)
        return verified ? { key: `altcha ${payload.challenge.signature?.toLowerCase()}`, validUntil } : undefined
      } catch {
        // Untrusted input.
        return undefined
      }
    },
  }
}

function read(answer: string): { challenge: Challenge; solution: Solution } | undefined {
  try {
    const payload = JSON.parse(Buffer.from(answer, 'base64').toString('utf8')) as { challenge?: Challenge; solution?: Solution } | null
    const { challenge, solution } = payload ?? {}
    // Cost and algorithm are signed too; this keeps an unsigned one from costing work.
    if (challenge?.parameters?.algorithm !== work.algorithm || challenge.parameters.cost !== work.cost || !solution) return undefined
    return { challenge, solution }
  } catch {
    return undefined
  }
}

/** The files of the widget. Scripts and styles come from our own address: no inline code, no other site. */
const assets = {
  '/captcha/api.js': [new URL('altcha-browser.js', import.meta.url), 'text/javascript'],
  '/captcha/altcha.js': [import.meta.resolve('altcha/external'), 'text/javascript'],
  '/captcha/altcha.css': [import.meta.resolve('altcha/altcha.css'), 'text/css'],
  '/captcha/worker.js': [import.meta.resolve('altcha/workers/pbkdf2'), 'text/javascript'],
} as const

/** Serves the built-in captcha at /captcha/: the script with the interface of the big providers, the widget, challenges. */
export function serveAltcha(app: FastifyInstance, { db, secret }: { db: Db; secret: KeyObject }) {
  const { challenge } = createAltcha(secret)
  for (const [url, [file, type]] of Object.entries(assets)) {
    const content = readFileSync(new URL(file))
    app.get(url, { schema: { hide: true } }, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=3600').send(content),
    )
  }
  app.get('/captcha/challenge', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const rows = await queryRows(db, { now: float8 })`select extract(epoch from now())::float8 as now`
    return challenge(rows[0]?.now as number)
  })
}
