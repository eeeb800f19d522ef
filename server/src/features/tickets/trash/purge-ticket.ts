import * as contract from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { addJob } from '../../../lib/jobs.ts'
import { holdTrashed } from './queries.ts'

/** Files of one job. */
const batch = 500

export const purgeTicket = implement(contract.purgeTicket, async ({ db, scope }) => {
  const tickets = await holdTrashed(db, scope)
  const ids = tickets.map(({ id }) => id)
  const { organizationId, projectId } = scope
  const files = await sql<{ storage_key: string; bytes: number }>`
    select storage_key, bytes from attachment where organization_id = ${organizationId} and ticket_id = any(${ids}::bigint[])`.execute(db)
  // Children that went to the trash before, by themselves, stay there.
  await sql`
    update ticket set parent_id = null
    where organization_id = ${organizationId} and parent_id = any(${ids}::bigint[]) and id <> all(${ids}::bigint[])`.execute(db)
  await sql`delete from ticket where organization_id = ${organizationId} and id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from ticket_notice where organization_id = ${organizationId} and ticket_id = any(${ids}::bigint[])`.execute(db)
  await recordChanges(
    db,
    scope,
    tickets.map(({ id, title }) => ({
      subject: 'ticket',
      subjectId: id,
      projectId,
      ticketId: id,
      field: 'Ticket',
      before: title,
      after: null,
      quiet: true,
    })),
  )
  // The rows are gone with this transaction, the files only after it.
  const keys = files.rows.map(file => file.storage_key)
  for (let from = 0; from < keys.length; from += batch) await addJob(db, 'remove-files', { keys: keys.slice(from, from + batch) })
  const bytes = files.rows.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > 0) {
    await sql`update organization set attachment_bytes = greatest(0, attachment_bytes - ${bytes}) where id = ${organizationId}`.execute(db)
  }
  return { Success: 1 as const, Tickets: tickets.length }
})
