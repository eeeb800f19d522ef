import * as contract from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { requireOpen } from '../../../lib/authorize.ts'

// A person's own toggle does not change the ticket: no history, no notification.
export const setTicketNotification = implement(contract.setTicketNotification, async ({ db, scope, input }) => {
  requireOpen(scope)
  await sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled)
    values (${scope.organizationId}, ${scope.ticketId}, ${scope.userId}, ${input.Notify === 1})
    on conflict (organization_id, ticket_id, user_id) do update set enabled = excluded.enabled, own = true`.execute(db)
  return { Success: 1 as const }
})
