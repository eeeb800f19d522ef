import { type Db, queryRows } from '../../../../db/db.ts'
import { bool, int8, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { Failure } from '../../../../lib/failure.ts'
import { mayView } from '../queries.ts'

/** FROM and WHERE of the links by which a ticket that is not inactive and not in the trash blocks `block.to_ticket_id`. $1 is the organization. */
export const openBlocks = `from ticket_link block
    join ticket blocker on blocker.organization_id = $1 and blocker.id = block.from_ticket_id and blocker.trashed_at is null
    join state blocking on blocking.organization_id = $1 and blocking.id = blocker.state_id and blocking.phase <> 3
    where block.organization_id = $1 and block.kind = 'blocks'`

/** SQL: something blocks ticket `t`. $1 is the organization. */
export const isBlocked = `exists (select 1 ${openBlocks} and block.to_ticket_id = t.id)`

/**
 * Refuses a change that made one of these tickets inactive while something blocks it, in a project where blockers hold. For workflow changes, which
 * move many tickets: call it after the move.
 */
export async function requireUnblocked(db: Db, scope: ProjectScope, ticketIds: readonly number[]) {
  if (ticketIds.length === 0) return
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { id: int8, pcode: text, Title: text, seen: bool })`
    select distinct b.id, p.short_code as pcode, b.title as "Title", ${mayView(scope, 'b.project_id')} as seen
    from project own
    join ticket t on t.organization_id = ${organizationId} and t.project_id = own.id and t.id = any(${ticketIds}) and t.trashed_at is null
    join ticket_link l on l.organization_id = ${organizationId} and l.kind = 'blocks' and l.to_ticket_id = t.id
    join ticket b on b.organization_id = ${organizationId} and b.id = l.from_ticket_id and b.trashed_at is null
    join project p on p.organization_id = ${organizationId} and p.id = b.project_id
    join state s on s.organization_id = ${organizationId} and s.id = b.state_id and s.phase <> 3
    where own.organization_id = ${organizationId} and own.id = ${projectId} and own.blockers_hold
    order by b.id limit 100`
  if (rows.length === 0) return
  const seen = rows.filter(row => row.seen)
  const unseen = rows.length - seen.length
  throw new Failure('blocked', blockedBy(seen, unseen), {
    current: { Blockers: seen.map(({ id, pcode, Title }) => ({ id, pcode, Title })), Unseen: unseen },
  })
}

/** What blocks a ticket, in words: those that the caller sees by their keys, the others as a number. */
function blockedBy(seen: readonly { id: number; pcode: string }[], unseen: number) {
  const names = [
    ...seen.map(({ id, pcode }) => `${pcode}-${id}`),
    ...(unseen > 0 ? [unseen === 1 ? 'a ticket you cannot see' : `${unseen} tickets you cannot see`] : []),
  ]
  return `Blocked by ${new Intl.ListFormat('en-US').format(names)}`
}

/** The same for many tickets: returns a function that describes any of these blockers. */
export async function blockersInWords(db: Db, scope: ProjectScope, blockers: readonly number[]) {
  const { organizationId } = scope
  const rows = await queryRows(db, { id: int8, pcode: text })`
    select t.id, p.short_code as pcode from ticket t join project p on p.organization_id = ${organizationId} and p.id = t.project_id
    where t.organization_id = ${organizationId} and t.id = any(${blockers}) and ${mayView(scope, 't.project_id')}`
  const codes = new Map(rows.map(row => [row.id, row]))
  return (ids: readonly number[]) => {
    const seen = ids.toSorted((a, b) => a - b).flatMap(id => codes.get(id) ?? [])
    return blockedBy(seen, ids.length - seen.length)
  }
}
