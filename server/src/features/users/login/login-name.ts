import { problemOfLogin } from '@tessera/contract/names'
import { Failure } from '../../../lib/failure.ts'
import { bucket } from '../../../lib/throttle.ts'

/** Logins are unique in the installation, so a refusal reveals that one exists elsewhere: this limits how often each person is told. */
export function takenLogins(userId: number) {
  return bucket('taken-login', userId, 30, 60)
}
/** To be returned, not thrown: the attempt stays counted. */
export function loginTaken() {
  return new Failure('duplicate', 'This login name is taken')
}

/** Throws 422 at the field for a login that imitates another or contains hidden characters. Only for new logins: existing ones still sign in. */
export function requireReadableLogin(login: string) {
  const message = problemOfLogin(login)
  if (message !== undefined) throw new Failure('rule', `The login name ${message}`, { fields: [{ path: 'LoginName', message }] })
}
