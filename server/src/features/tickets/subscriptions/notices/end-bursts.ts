import { type RawBuilder, sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { int8 } from '../../../../db/shape.ts'
import { inTransaction } from '../../../../lib/transaction.ts'
import { deliverNext, type Found, type Turn } from './deliver-next.ts'

/**
 * Ends the next bursts that have lasted long enough: later changes of these tickets begin others. Their mails are queued without a lock, because
 * whoever saves a ticket waits for this; false when there are none.
 */
export function endNext(db: Db, seconds: number, turn: Turn): Promise<boolean> {
  const due = sql`first_change_at <= now() - make_interval(secs => ${seconds})`
  const notices = { table: 'ticket_notice', key: 'ticket_id', at: 'first_change_at', due }
  return deliverNext(db, notices, turn, async found => {
    let ended = 0
    for (const [organizationId, its] of Map.groupBy(found, ({ organization_id }) => organization_id))
      ended += await inTransaction(db, transaction => end(transaction, organizationId, its, due))
    return ended > 0
  })
}

/**
 * A change that is still being written may have a lower id than those here. Its own notice would start there, and they would be mailed again. So a
 * ticket that somebody has locked waits. The last id is read by a second statement, which sees what was committed before the locks.
 */
async function end(db: Db, organizationId: number, found: readonly Found[], due: RawBuilder<unknown>) {
  const ids = found.map(({ id }) => id)
  const notices = await queryRows(db, { ticket: int8, first: int8 })`
    delete from ticket_notice where organization_id = ${organizationId} and ticket_id in (
      select ticket_id from ticket_notice where organization_id = ${organizationId} and ticket_id = any(${ids}::bigint[]) and ${due} for update skip locked)
    and (ticket_id in (select id from ticket where organization_id = ${organizationId} and id = any(${ids}::bigint[]) for no key update skip locked)
      or not exists (select 1 from ticket where organization_id = ${organizationId} and id = ticket_notice.ticket_id))
    returning ticket_id as ticket, first_change_id as first`
  if (notices.length === 0) return 0
  await sql`
    insert into ticket_burst (organization_id, ticket_id, first_change_id, last_change_id)
    select ${organizationId}::bigint, n.ticket, n.first, max(c.id)
    from unnest(${notices.map(({ ticket }) => ticket)}::bigint[], ${notices.map(({ first }) => first)}::bigint[]) as n (ticket, first)
    join change c on c.organization_id = ${organizationId} and c.ticket_id = n.ticket and c.id >= n.first group by n.ticket, n.first`.execute(
    db,
  )
  return notices.length
}
