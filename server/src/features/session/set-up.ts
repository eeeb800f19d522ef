import * as contract from '@tessera/contract/people/session'
import { implementWith } from '../../http/implement.ts'
import { Failure } from '../../lib/failure.ts'
import { requireGoodPassword } from '../../lib/passwords/password-policy.ts'
import { hashPassword } from '../../lib/passwords/passwords.ts'
import { createFirstUser, isSetUpNeeded, isSetUpToken } from '../../process/first-run.ts'
import { requireReadableLogin } from '../users/login/login-name.ts'

export const setUp = implementWith(
  contract.setUp,
  {
    before: async ({ db, input, system }) => {
      if (!isSetUpToken(system.secret, input.Token) || !(await isSetUpNeeded(db)))
        throw new Failure('rule', 'This set-up address is not valid, or it has already been used')
      requireReadableLogin(input.LoginName)
      requireGoodPassword(system.config, input.Password, [input.Organization, input.LoginName, input.Email ?? ''], 'Password')
      return hashPassword(input.Password)
    },
  },
  async ({ db, input, prepared: passwordHash }) => {
    await createFirstUser(db, { login: input.LoginName, passwordHash, email: input.Email ?? '', organization: input.Organization })
    return { Success: 1 as const }
  },
)
