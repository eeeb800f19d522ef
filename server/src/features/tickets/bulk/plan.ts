import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import { ticketTrashed } from '@tessera/contract/refusals'
import type { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { type ProjectScope, requirePermission } from '../../../lib/authorize.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import type { StoredChange } from '../history/readable-changes.ts'
import { idText } from '../history/stored-values.ts'
import { problemOfMoves } from '../moving/tree-moves.ts'
import { type Changes, decideChanges, problemOfLimit, type Stored } from '../saving/decide-changes.ts'
import { requireSaveRights } from '../saving/set-ticket-data.ts'

// What a change of many tickets does to each of them.

export type BulkChange = NonNullable<Request<typeof previewBulkChange>['Change']>

/** A ticket as read before a bulk change. */
export interface BulkStored extends Stored {
  id: number
  /** The caller is notified of its changes. */
  watched: boolean
}
export interface History {
  field: StoredChange['field']
  before: string | null
  after: string | null
}
/** A ticket with what is to be done to it. */
export interface Planned {
  stored: BulkStored
  wanted: BulkChange
  changes: Changes
  history: History[]
}
/** The data of the project that a plan depends on. */
interface Surroundings {
  /** The parent of each of the tickets, of the new parents and of their ancestors. */
  parentOf: Map<number, number | null>
  /** Levels below each ticket. */
  height: ReadonlyMap<number, number>
  /** New parents that are in the trash. */
  trashedParents: ReadonlySet<number>
}
export interface Plan {
  planned: Planned[]
  refused: { id: number; reason: string }[]
}

/** 400 for an empty change, or for one that trashes tickets and also changes them. */
export function requireMeaningfulChange(change: BulkChange) {
  const { Trash, ...others } = change
  if (Object.keys(change).length === 0) throw invalid('Change', 'is empty')
  if (Trash !== undefined && Object.keys(others).length > 0) throw invalid('Change.Trash', 'cannot be combined with other changes')
}

/** 422 unless the caller may change each part. */
export function requireBulkRights(scope: ProjectScope, { Trash, idParent, Watch: _, ...save }: BulkChange) {
  requireSaveRights(scope, save)
  if (idParent !== undefined) requirePermission(scope, permission.editTickets)
  if (Trash !== undefined) requirePermission(scope, permission.deleteTickets)
}

/** Decides each ticket by itself; those that may not change as wanted are refused with the reason. */
export function planAll(tickets: readonly { stored: BulkStored; wanted: BulkChange }[], around: Surroundings): Plan {
  const plan: Plan = { planned: [], refused: [] }
  for (const { stored, wanted } of tickets) {
    const result = planOne(stored, wanted, around)
    if (typeof result === 'string') plan.refused.push({ id: stored.id, reason: result })
    else plan.planned.push(result)
  }
  const moved = plan.planned.filter(isMoved).map(({ stored }) => stored.id)
  const problem = problemOfMoves(moved, around.parentOf, around.height)
  if (problem) throw new Failure('rule', problem)
  return plan
}

function planOne(stored: BulkStored, wanted: BulkChange, around: Surroundings): Planned | string {
  const { id } = stored
  if (stored.in_trash) return ticketTrashed
  const keys = new Set(stored.fields.filter(field => field.is_shown).map(({ key }) => key))
  const missing = Object.keys(wanted.data ?? {}).find(key => !keys.has(key))
  if (missing !== undefined) return `Tickets of this type have no field '${missing}'`
  let changes: Changes
  try {
    changes = decideChanges(stored, wanted, 'Change.')
  } catch (error) {
    // An id that the project does not have affects all tickets.
    if (!(error instanceof Failure) || error.code === 'not_found') throw error
    return error.message.replace(/^data\.(\w+)/, "Field '$1'")
  }
  if (changes.stateId !== null && stored.reachable === false) return 'The workflow does not allow the move to that state'
  const history: History[] = [...changes.history]
  if (wanted.idParent !== undefined && wanted.idParent !== stored.parent_id) {
    const problem = moveTo(id, wanted.idParent, around)
    if (problem) return problem
    history.push({ field: 'Parent', before: idText(stored.parent_id), after: idText(wanted.idParent) })
  }
  if (wanted.Trash) history.push({ field: 'Trash', before: null, after: String(id) })
  if (wanted.Watch !== undefined && stored.watched !== (wanted.Watch === 1))
    history.push({ field: 'Watch', before: stored.watched ? '1' : '0', after: String(wanted.Watch) })
  return { stored, wanted, changes, history }
}

/** Moves the ticket in `parentOf`, so that the next ones see it there; otherwise returns why not. */
function moveTo(id: number, parentId: number | null, { parentOf, height, trashedParents }: Surroundings) {
  if (parentId !== null && trashedParents.has(parentId)) return 'The parent is in the trash and takes no tickets'
  const before = parentOf.get(id) ?? null
  parentOf.set(id, parentId)
  const problem = problemOfMoves([id], parentOf, height)
  if (problem) parentOf.set(id, before)
  return problem
}

/** Refuses the last tickets if a state with an enforced limit has no room for all. */
export function withinLimit(planned: readonly Planned[]): Plan {
  const refused: Plan['refused'] = []
  let entered = 0
  const fitting = planned.filter(({ stored, changes }) => {
    if (!stored.room || changes.stateId === null) return true
    entered++
    if (stored.room.tickets + entered <= stored.room.limit) return true
    refused.push({ id: stored.id, reason: problemOfLimit(stored.room) })
    return false
  })
  return { planned: fitting, refused }
}

export function isMoved({ history }: Planned) {
  return history.some(({ field }) => field === 'Parent')
}

interface Block {
  ticket: number
  blocker: number
  /** The blocker gets an inactive state as well. */
  closes: boolean
}
/** Puts blockers before what they block: they are then inactive when that is changed, even in a later step. */
export function blockersFirst(tickets: readonly number[], blocks: readonly Block[]): number[] {
  const blockersOf = Map.groupBy(blocks, ({ ticket }) => ticket)
  const all = new Set(tickets)
  const ordered = new Set<number>()
  const reached = new Set<number>()
  const stack = tickets.toReversed()
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const before = reached.has(id) ? [] : (blockersOf.get(id) ?? []).filter(({ blocker }) => all.has(blocker) && !reached.has(blocker))
    reached.add(id)
    stack.push(...before.map(({ blocker }) => blocker))
    if (before.length > 0) continue
    stack.pop()
    ordered.add(id)
  }
  return [...ordered]
}

/** The tickets with a blocker that the same change does not make inactive, each with its blockers. */
export function blockedAmong(planned: readonly Planned[], blocks: readonly Block[]): Map<number, number[]> {
  const going = new Set(planned.map(({ stored }) => stored.id))
  const among = blocks.filter(({ ticket }) => going.has(ticket))
  const blocksOf = Map.groupBy(among, ({ blocker }) => blocker)
  // Grows while it is read: what is blocked stays open, and blocks others.
  const open = new Set(among.filter(({ blocker, closes }) => !closes || !going.has(blocker)).map(({ blocker }) => blocker))
  for (const blocker of open) for (const { ticket } of blocksOf.get(blocker) ?? []) open.add(ticket)
  const held = among.filter(({ blocker }) => open.has(blocker))
  return new Map([...Map.groupBy(held, ({ ticket }) => ticket)].map(([ticket, by]) => [ticket, by.map(({ blocker }) => blocker)]))
}

/** Why a ticket that was deleted for good is skipped. */
export const gone = 'This ticket is gone'

/** The refusals grouped by reason. */
export function byReason(refused: Plan['refused']) {
  return [...Map.groupBy(refused, ({ reason }) => reason)].map(([Reason, rows]) => ({ Reason, Tickets: rows.map(({ id }) => id) }))
}
