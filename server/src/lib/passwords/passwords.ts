import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Failure } from '../failure.ts'
import { fairTurns } from '../turns.ts'

// argon2id is @node-rs/argon2's default algorithm. Parameters: OWASP ASVS 5.0, appendix C.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The hash to compare with when there is none, so that timing reveals nothing. */
const dummy = hash('no password has this digest', parameters)

// Each hash takes a core and 19 MiB that stay allocated: a flood of sign-ins must leave half of the machine to other requests.
const concurrent = Math.max(1, Math.min(4, availableParallelism() >> 1))
const tooMany = () => new Failure('throttled', 'Too many sign-ins at once, try again in a moment', { retryAfterSeconds: 5 })
/** All hashes of the process share these turns. Anybody can fill the queue of strangers, so the others have one of their own, and every second turn. */
const inTurn = fairTurns<'strangers' | 'others'>(concurrent, 256, 120_000, tooMany)

export function hashPassword(password: string) {
  return inTurn('others', () => hash(password.normalize('NFKC'), parameters))
}

/** Takes the same time when there is no hash. `isStranger`: nobody has signed in to the account from this browser before. */
export async function verifyPassword(passwordHash: string | null, password: string, isStranger = false): Promise<boolean> {
  const against = passwordHash ?? (await dummy)
  const matches = await inTurn(isStranger ? 'strangers' : 'others', () => verify(against, password.normalize('NFKC')).catch(() => false))
  return matches && passwordHash !== null
}
