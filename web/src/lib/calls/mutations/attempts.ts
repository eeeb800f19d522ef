import type { Call } from '@tessera/contract/call'
import { keptFor } from '../../session/private-storage.ts'
import { currentSession } from '../../session/session.tsx'
import { storeLocally } from '../../state/store-locally.ts'
import { uuid } from './uuid.ts'

interface Attempt {
  body: string
  key: string
}

const placeOf = (call: Call) => `${keptFor(currentSession().idUser)}attempt.${call.path}`

/**
 * The Idempotency-Key of the last attempt if it sent the same body, or else a new one. It is kept in this browser, as unsaved text is: a person who
 * reloads the page before the answer has come and sends the same text again gets the first answer, and nothing is created twice.
 */
export function keyOfAttempt(call: Call, body: string) {
  try {
    const last = JSON.parse(localStorage.getItem(placeOf(call)) ?? 'null') as Attempt | null
    if (last?.body === body) return last.key
  } catch {
    // Unreadable: a new one replaces it.
  }
  const key = uuid()
  storeLocally(placeOf(call), JSON.stringify({ body, key } satisfies Attempt))
  return key
}

export function endAttempt(call: Call) {
  storeLocally(placeOf(call), '')
}
