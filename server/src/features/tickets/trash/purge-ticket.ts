import * as contract from '@tessera/contract/tickets/moving'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { TicketScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, ticketChange } from '../../../lib/changes.ts'
import { queueRemoval } from '../attachments/jobs.ts'
import { linkReference } from '../history/stored-values.ts'
import { kindSeenFrom } from '../links/link-kinds.ts'
import { lockLinks } from '../links/queries.ts'
import { lockTrashed, onTree } from './queries.ts'

export const purgeTicket = implement(contract.purgeTicket, ({ db, scope }) => onTree(db, () => purge(db, scope)))

async function purge(db: Db, scope: TicketScope) {
  await lockLinks(db, scope)
  const tickets = await lockTrashed(db, scope)
  const ids = tickets.map(({ id }) => id)
  const { organizationId, projectId } = scope
  const files = await queryRows(db, { storage_key: text, bytes: int8 })`
    select storage_key, bytes from attachment where organization_id = ${organizationId} and ticket_id = any(${ids}::bigint[])
    for update`
  // Children that were trashed earlier, by themselves, stay in the trash.
  const left = await queryRows(db, { id: int8, parentId: int8 })`
    with child as materialized (
      select id, parent_id from ticket
      where organization_id = ${organizationId} and parent_id = any(${ids}::bigint[]) and id <> all(${ids}::bigint[]) order by id for no key update
    )
    update ticket set parent_id = null from child where ticket.organization_id = ${organizationId} and ticket.id = child.id
    returning ticket.id, child.parent_id as "parentId"`
  const links = await linksAway(db, organizationId, ids)
  await sql`delete from ticket where organization_id = ${organizationId} and id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from ticket_notice where organization_id = ${organizationId} and ticket_id = any(${ids}::bigint[])`.execute(db)
  await recordChanges(db, scope, [
    ...tickets.map(({ id, title }): Change => ({ ...ticketChange({ projectId, ticketId: id }, 'Ticket', title, null), quiet: true })),
    ...left.map(
      ({ id, parentId }): Change => ({ ...ticketChange({ projectId, ticketId: id }, 'Parent', String(parentId), null), quiet: true }),
    ),
    ...links,
  ])
  await forgetValues(db, organizationId, ids)
  await queueRemoval(
    db,
    files.map(file => file.storage_key),
  )
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > 0) {
    await sql`update organization set attachment_bytes = greatest(0, attachment_bytes - ${bytes}) where id = ${organizationId}`.execute(db)
  }
  return { Success: 1 as const, Tickets: tickets.length }
}

const forget = statement(
  {},
  `
  update change set before = null, after = null
  where organization_id = $1 and ticket_id = any($2::bigint[]) and (before is not null or after is not null)`,
)
/** The number of tickets per statement: one statement for a large tree with long histories would exceed its time limit. */
const forgottenAtOnce = 500
/** The history of these tickets keeps who changed which part and when, without titles, texts and names of files. */
async function forgetValues(db: Db, organizationId: number, ids: readonly number[]) {
  for (let from = 0; from < ids.length; from += forgottenAtOnce) {
    await run(db, forget, [organizationId, ids.slice(from, from + forgottenAtOnce)])
  }
}

/** History at the other ends of the links that are deleted with the tickets. */
async function linksAway(db: Db, organizationId: number, ids: readonly number[]): Promise<Change[]> {
  const rows = await queryRows(db, { from: int8, to: int8, kind: text, farId: int8, projectId: int8 })`
    select l.from_ticket_id as "from", l.to_ticket_id as "to", l.kind, far.id as "farId", far.project_id as "projectId"
    from ticket_link l
    join ticket far on far.organization_id = ${organizationId}
      and far.id = case when l.from_ticket_id = any(${ids}::bigint[]) then l.to_ticket_id else l.from_ticket_id end
    where l.organization_id = ${organizationId} and (l.from_ticket_id = any(${ids}::bigint[]) or l.to_ticket_id = any(${ids}::bigint[]))
      and far.id <> all(${ids}::bigint[])
    order by l.id`
  return rows.map(({ farId, projectId, ...link }) => {
    const before = linkReference(kindSeenFrom(farId, link), farId === link.from ? link.to : link.from)
    return ticketChange({ projectId, ticketId: farId }, 'Link', before, null)
  })
}
