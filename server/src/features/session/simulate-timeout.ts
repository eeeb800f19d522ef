import * as contract from '@tessera/contract/session'
import { sql } from 'kysely'
import { Failure, notFound } from '../../lib/failure.ts'
import { implement } from '../../lib/implement.ts'
import { sendFailure } from '../../lib/rpc.ts'

export const simulateTimeout = implement(contract.simulateTimeout, async ({ db, scope, system, request, reply }) => {
  if (!system.config.simulateTimeout) throw notFound()
  await sql`
    update session set ended_at = now(), end_reason = 'simulated'
    where organization_id = ${scope.organizationId} and id = ${scope.sessionId} and ended_at is null`.execute(db)
  // The write must last, so the 403 is sent without failing the transaction.
  sendFailure(new Failure('session', 'The session was ended'), request, reply)
  return reply as never
})
