import * as contract from '@tessera/contract/people/session'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { refreshCsrf } from '../../http/csrf.ts'
import { implementWith } from '../../http/implement.ts'
import { clearSessionCookie, credentialsOf, visitorBinding } from '../../http/session-cookie.ts'
import { Failure } from '../../lib/failure.ts'

export const logout = implementWith(
  contract.logout,
  {
    // A link or an image must not sign anybody out; the page asks with fetch().
    before: async ({ request }) => {
      const { 'sec-fetch-mode': mode, 'sec-fetch-site': site = 'same-origin' } = request.headers
      if (mode === 'navigate' || site !== 'same-origin') throw new Failure('csrf', 'Sign out from within the application')
    },
  },
  async ({ db, system, request, reply }) => {
    const credentials = credentialsOf(system.config, request)
    if (credentials) {
      const [ended] = await queryRows(db, { userId: int8 })`
        update session set ended_at = now(), end_reason = 'logout'
        where organization_id = ${credentials.organizationId} and token_hash = ${credentials.tokenHash} and ended_at is null
        returning user_id as "userId"`
      if (ended) request.account = ended.userId
      clearSessionCookie(system.config, reply)
      refreshCsrf(system, request, reply, visitorBinding(system.config, request, reply))
      // Not "storage": the chosen theme stays, and the page removes what is private.
      reply.header('clear-site-data', '"cache"')
    }
    reply.header('cache-control', 'no-store')
    return { Success: 1 as const }
  },
)
