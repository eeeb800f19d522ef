import * as contract from '@tessera/contract/tickets/attachments'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int4 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { TicketScope } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { deletionChange, lockAttachment } from './deletion.ts'

export const deleteAttachment = implement(contract.deleteAttachment, async ({ db, scope, input: { idAttachment } }) => {
  const attachment = await lockAttachment(db, scope, idAttachment)
  const Shown = await textsThatShow(db, scope, idAttachment)
  if (attachment.deleted) return { Success: 1 as const, Shown }
  await recordChanges(db, scope, [deletionChange(scope, attachment.name, true)])
  await sql`
    update attachment set deleted_at = now(), deleted_by = ${scope.userId}
    where organization_id = ${scope.organizationId} and id = ${idAttachment}`.execute(db)
  return { Success: 1 as const, Shown }
})

async function textsThatShow(db: Db, { organizationId, ticketId }: TicketScope, idAttachment: number) {
  const address = `attachment:${idAttachment}([^0-9]|$)`
  const [found] = await queryRows(db, { texts: int4 })`
    select ((select count(*) from comment where organization_id = ${organizationId} and ticket_id = ${ticketId} and deleted_at is null and text ~ ${address})
      + (select count(*) from ticket_value where organization_id = ${organizationId} and ticket_id = ${ticketId} and value ~ ${address}))::int as texts`
  return found?.texts ?? 0
}
