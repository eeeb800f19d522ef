import * as contract from '@tessera/contract/session'
import { sql } from 'kysely'
import { acrossOrganizations } from '../../db/across-organizations.ts'
import { implement } from '../../http/implement.ts'
import { notFound } from '../../lib/failure.ts'
import { endSessionsOf } from './queries.ts'

export const endSessions = implement(contract.endSessions, async ({ db, scope, input }) => {
  if (!input.ids) return { Success: 1 as const, Ended: await endSessionsOf(db, scope.userId, 'revoked', scope.sessionId) }
  const ids = [...new Set(input.ids)]
  const { rows } = await sql<{ found: number; ended: number }>`${acrossOrganizations('own account')}
    with named as (select id, ended_at from session where user_id = ${scope.userId} and id::text = any(${ids}) for update),
      gone as (update session s set ended_at = now(), end_reason = 'revoked' from named
        where s.user_id = ${scope.userId} and s.id = named.id and named.ended_at is null returning 1)
    select (select count(*)::int from named) as found, (select count(*)::int from gone) as ended`.execute(db)
  if (rows[0]?.found !== ids.length) throw notFound()
  return { Success: 1 as const, Ended: rows[0].ended }
})
