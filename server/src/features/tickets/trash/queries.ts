import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, run, statement, unpreparedStatement } from '../../../db/db.ts'
import { sqlState } from '../../../db/sql-state.ts'
import { type ProjectScope, requireOpen, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { countTickets } from '../counting/count-tickets.ts'
import { heldColumns, holdTickets, type LockedTicket, linesAbove, lockedRow, lockTree } from '../ticket-tree.ts'

/**
 * Less than usual: PostgreSQL needs a moment to stop such a statement, and after 6.5 s the connection is closed without a reason. More than the 5 s
 * that a statement may wait for a lock, which has another answer.
 */
const limitTime = unpreparedStatement({}, "set local statement_timeout = '5500ms'")

/** Runs work on a whole tree; 422 with what to do if one of its statements takes too long. */
export async function onTree<T>(
  db: Db,
  work: () => Promise<T>,
  whatToDo = 'Nothing was changed: try again at a quieter time.',
): Promise<T> {
  try {
    await run(db, limitTime, [])
    return await work()
  } catch (error) {
    if (sqlState(error) !== '57014') throw error
    throw new Failure('rule', `There are too many tickets to change at once. ${whatToDo}`)
  }
}

const groupsStatement = statement(
  lockedRow,
  `
  select ${heldColumns} from ticket
  where organization_id = $1 and project_id = $2 and trash_root_id = any($3) and trashed_at is not null order by id for update`,
)
/** Locks the tickets that were trashed with these. */
export function lockGroups(db: Db, { organizationId, projectId }: ProjectScope, roots: readonly number[]) {
  return run(db, groupsStatement, [organizationId, projectId, roots])
}

/**
 * Locks a ticket in the trash and the tickets trashed with it, the ticket first. 422 if it was trashed with an ancestor: it is restored or
 * purged together with that.
 */
export async function lockTrashed(db: Db, scope: TicketScope): Promise<[LockedTicket, ...LockedTicket[]]> {
  requireOpen({ ...scope, trashed: false })
  await lockTree(db, scope)
  const [ticket] = await holdTickets(db, scope, [scope.ticketId])
  if (!ticket) throw notFound()
  if (ticket.trashRootId === null) throw new Failure('rule', 'This ticket is not in the trash')
  if (ticket.trashRootId !== ticket.id) {
    throw new Failure('rule', `This ticket was moved to the trash with the ticket ${ticket.trashRootId}: choose that one`)
  }
  const group = await lockGroups(db, scope, [ticket.id])
  await requireStillOpen(db, scope)
  return [ticket, ...group.filter(({ id }) => id !== ticket.id)]
}

const childrenStatement = statement(
  lockedRow,
  `
  select ${heldColumns} from ticket
  where organization_id = $1 and parent_id = any($2::bigint[]) and trashed_at is null order by id for no key update`,
)

/**
 * Trashes tickets with their descendants and returns the history to record; one that is below another is trashed with that. The tree is read level
 * by level, each locked before the next: a transaction that adds a child locks the parent, so it is either seen or waits.
 */
export async function trashAll(db: Db, scope: ProjectScope, ids: readonly number[]): Promise<Change[]> {
  const { organizationId, projectId, userId } = scope
  const tickets = new Map<number, LockedTicket>()
  const rootOf = new Map<number, number>()
  let level = (await holdTickets(db, scope, ids)).filter(({ trashRootId }) => trashRootId === null)
  for (const ticket of level) rootOf.set(ticket.id, ticket.id)
  while (level.length > 0) {
    for (const ticket of level) tickets.set(ticket.id, ticket)
    level = await run(db, childrenStatement, [organizationId, level.map(({ id }) => id)])
    for (const { id, parentId } of level) rootOf.set(id, rootOf.get(parentId as number) as number)
  }
  const trashed = [...tickets.values()].map(ticket => ({ ...ticket, rootId: rootOf.get(ticket.id) as number }))
  await sql`
    update ticket t set trashed_at = now(), trashed_by = ${userId}, trash_root_id = g.root_id
    from unnest(${trashed.map(({ id }) => id)}::bigint[], ${trashed.map(({ rootId }) => rootId)}::bigint[]) as g (id, root_id)
    where t.organization_id = ${organizationId} and t.id = g.id`.execute(db)
  await countTickets(
    db,
    scope,
    trashed.map(ticket => ({ before: ticket, after: null })),
  )
  return trashed.map(({ id, rootId }) => ({
    ...ticketChange({ projectId, ticketId: id }, 'Trash', null, String(rootId)),
    ...(id !== rootId && { quiet: true }),
  }))
}

/**
 * Takes groups of tickets, which are locked, out of the trash and returns the history to record. A group goes to the root of the project when
 * the parent is gone, in the trash, or would get too many levels.
 */
export async function restoreAll(db: Db, scope: ProjectScope, tickets: readonly LockedTicket[]): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const roots = tickets.filter(({ id, trashRootId }) => id === trashRootId)
  const line = await linesAbove(
    db,
    scope,
    roots.flatMap(({ parentId }) => parentId ?? []),
  )
  const above = new Map(line.map(row => [row.id, row]))
  const returning = new Set(tickets.map(({ id }) => id))
  const byParent = Map.groupBy(tickets, ({ parentId }) => parentId)
  const back = tickets.map(ticket => {
    const isRoot = ticket.id === ticket.trashRootId
    return isRoot && !mayReturn(ticket, above, byParent, returning)
      ? { ...ticket, parentId: null, left: ticket.parentId }
      : { ...ticket, left: null }
  })
  await sql`
    update ticket t set trashed_at = null, trashed_by = null, trash_root_id = null, parent_id = b.parent_id
    from unnest(${back.map(({ id }) => id)}::bigint[], ${back.map(({ parentId }) => parentId)}::bigint[]) as b (id, parent_id)
    where t.organization_id = ${organizationId} and t.id = b.id`.execute(db)
  await countTickets(
    db,
    scope,
    back.map(ticket => ({ before: null, after: ticket })),
  )
  return back.flatMap(({ id, trashRootId, left }): Change[] => {
    const ticket = { projectId, ticketId: id }
    const restored = ticketChange(ticket, 'Trash', String(trashRootId), null)
    if (id !== trashRootId) return [{ ...restored, quiet: true }]
    return left === null ? [restored] : [restored, ticketChange(ticket, 'Parent', String(left), null)]
  })
}

/** Whether the parent exists, is not in the trash unless it comes back as well, and is not too deep for this tree. */
function mayReturn(
  root: LockedTicket,
  above: ReadonlyMap<number, { parentId: number | null; trashRootId: number | null }>,
  byParent: ReadonlyMap<number | null, LockedTicket[]>,
  returning: ReadonlySet<number>,
) {
  if (root.parentId === null) return true
  const parent = above.get(root.parentId)
  if (!parent || (parent.trashRootId !== null && !returning.has(root.parentId))) return false
  let levels = -1
  for (let level = [root]; level.length > 0 && levels <= limits.depth; levels++) level = level.flatMap(({ id }) => byParent.get(id) ?? [])
  for (let next: number | null = root.parentId; next !== null && levels <= limits.depth; levels++) next = above.get(next)?.parentId ?? null
  return levels <= limits.depth
}
