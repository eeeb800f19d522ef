import * as contract from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { requireStillAllowed } from '../../../lib/authorize.ts'

// A person's own toggle does not change the ticket: no history, no notification, and possible in an archived project and in the trash.
export const setTicketNotification = implement(contract.setTicketNotification, async ({ db, scope, input }) => {
  await sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled)
    values (${scope.organizationId}, ${scope.ticketId}, ${scope.userId}, ${input.Notify === 1})
    on conflict (organization_id, ticket_id, user_id) do update set enabled = excluded.enabled, own = true`.execute(db)
  await requireStillAllowed(db, scope, scope.ticketId)
  return { Success: 1 as const }
})
