import * as contract from '@tessera/contract/people/session'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { Failure, notFound } from '../../lib/failure.ts'

export const simulateTimeout = implement(contract.simulateTimeout, async ({ db, scope, system }) => {
  if (!system.config.simulateTimeout) throw notFound()
  await sql`
    update session set ended_at = now(), end_reason = 'simulated'
    where organization_id = ${scope.organizationId} and id = ${scope.sessionId} and ended_at is null`.execute(db)
  return new Failure('session', 'The session was ended')
})
