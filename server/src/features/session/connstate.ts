import * as contract from '@tessera/contract/people/session'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { refreshCsrf } from '../../http/csrf.ts'
import { implement } from '../../http/implement.ts'
import { credentialsOf } from '../../http/session-cookie.ts'
import { isLive, signedInAnswer } from './sessions.ts'

export const connstate = implement(contract.connstate, async ({ db, system, request, reply }) => {
  refreshCsrf(system, request, reply)
  reply.header('cache-control', 'no-store')
  const credentials = credentialsOf(system.config, request)
  if (credentials === null) return { auth: 0 as const }
  // Read-only: this call must not extend the session it reports on.
  const rows = await queryRows(db, { user_id: int8 })`
    select s.user_id from session s
    join user_account u on u.id = s.user_id and not u.disabled
    left join organization_member m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where s.organization_id = ${credentials.organizationId} and s.token_hash = ${credentials.tokenHash} and ${isLive(system.config.session)}
      and (u.super or m.user_id is not null)`
  return rows[0] ? signedInAnswer(db, credentials.organizationId, rows[0].user_id) : { auth: 0 as const }
})
