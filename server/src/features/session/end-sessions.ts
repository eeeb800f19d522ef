import * as contract from '@tessera/contract/people/session'
import { sql } from 'kysely'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { implement } from '../../http/implement.ts'
import { notFound } from '../../lib/failure.ts'
import { endSessionsOf } from './sessions.ts'

export const endSessions = implement(contract.endSessions, async ({ db, scope, input }) => {
  if (!input.ids) return { Success: 1 as const, Ended: await endSessionsOf(db, scope.userId, 'revoked', scope.sessionId) }
  const ids = [...new Set(input.ids)]
  const { rows: found } = await sql`${acrossOrganizations('own account')}
    select 1 from session where user_id = ${scope.userId} and id::text = any(${ids})`.execute(db)
  if (found.length !== ids.length) throw notFound()
  const { rows: ended } = await sql`${acrossOrganizations('own account')}
    update session set ended_at = now(), end_reason = 'revoked'
    where user_id = ${scope.userId} and id::text = any(${ids}) and ended_at is null returning 1`.execute(db)
  return { Success: 1 as const, Ended: ended.length }
})
