import { problemOfLogin } from '@tessera/contract/names'
import { Failure } from '../../lib/failure.ts'

/** Throws 422 at the field for a login that looks like another or shows less than it has. Only for new ones: those of before still sign in. */
export function requireReadableLogin(login: string) {
  const message = problemOfLogin(login)
  if (message !== undefined) throw new Failure('rule', `The login name ${message}`, { fields: [{ path: 'LoginName', message }] })
}
