import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Failure } from '../failure.ts'

// argon2id is @node-rs/argon2's default algorithm. Parameters: OWASP ASVS 5.0, appendix C.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The hash to compare with when there is none, so that timing reveals nothing. */
const dummy = hash('no password has this digest', parameters)

// Each hash takes a core and 19 MiB that stay allocated: a flood of sign-ins must leave half of the machine to other requests.
const concurrent = Math.max(1, Math.min(4, availableParallelism() >> 1))
const queueLimit = 256
let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= concurrent) {
    if (waiting.length >= queueLimit)
      throw new Failure('throttled', 'Too many sign-ins at once, try again in a moment', { retryAfterSeconds: 2 })
    // The hash that ends passes its slot on, so `running` stays the same.
    await new Promise<void>(resolve => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string) {
  return limited(() => hash(password.normalize('NFKC'), parameters))
}

/** Takes the same time when there is no hash. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await dummy)
  const matches = await limited(() => verify(against, password.normalize('NFKC')).catch(() => false))
  return matches && passwordHash !== null
}
