import * as contract from '@tessera/contract/session'
import { sql } from 'kysely'
import { implement } from '../../lib/implement.ts'
import { clearSessionCookie, credentialsOf } from '../../lib/session-cookie.ts'

export const logout = implement(contract.logout, async ({ db, system, request, reply }) => {
  const credentials = credentialsOf(system.config, request)
  if (credentials) {
    await sql`
      update session set ended_at = now(), end_reason = 'logout'
      where organization_id = ${credentials.organizationId} and token_hash = ${credentials.tokenHash} and ended_at is null`.execute(db)
    clearSessionCookie(system.config, reply)
  }
  reply.header('cache-control', 'no-store')
  return { Success: 1 as const }
})
