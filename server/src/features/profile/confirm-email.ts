import * as contract from '@tessera/contract/people/profile'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { Failure } from '../../lib/failure.ts'
import { readSignedToken } from '../../mail/signed-link.ts'
import { confirmationHours } from '../users/account-mails.ts'

// The link names the change it confirms: it is void once the address is confirmed or changed again.
export const confirmEmail = implement(contract.confirmEmail, async ({ db, input, system, request }) => {
  const [idUser = 0, changedAt = 0] = readSignedToken(system.secret, 'confirm-email', input.Token) ?? []
  const { rows } = await sql`
    update user_account set email_changed_at = null
    where id = ${idUser} and not disabled and email <> '' and email_changed_at = 'epoch'::timestamptz + ${changedAt}::bigint * interval '1 microsecond'
      and email_changed_at > now() - make_interval(hours => ${confirmationHours}) returning 1`.execute(db)
  if (rows.length === 0) throw new Failure('rule', 'This link does not work: it was used, has expired, or the address was changed again')
  request.account = idUser
  return { Success: 1 as const }
})
