import { projectArchived } from '@tessera/contract/refusals'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { isFieldPart } from '../../../../lib/changes.ts'
import { Failure } from '../../../../lib/failure.ts'
import { idOf, idText, labelIdOf, parsePair } from '../../history/stored-values.ts'
import { problemOfValue } from '../../values/field-values.ts'
import { type BulkChange, type BulkStored, type History, requireBulkRights } from '../plan.ts'

// What reverting a change of many tickets does to each of them.

interface Existing {
  states: ReadonlySet<number>
  /** Those that are not archived. */
  types: ReadonlySet<number>
  parents: ReadonlySet<number>
}
/** How a row of one kind is reverted. */
interface Kind {
  /** The present value of what the row changed, in the row's form. */
  now: (stored: BulkStored, row: History) => string | null
  /** Whether what the row changed, and its value before, still exist. */
  canReturn: (stored: BulkStored, row: History, exists: Existing) => boolean
  /** What reverting the row adds to `wanted`, which reverts the rows before it. */
  reverse: (row: History, wanted: BulkChange) => BulkChange
}

/** What cannot be reverted, such as a comment. */
const other: Kind = { now: () => null, canReturn: () => false, reverse: () => ({}) }

/** By the field of a row; `data.` stands for those of tickets, `data.key`. */
const kinds: Record<Exclude<History['field'], `data.${string}`> | 'data.', Kind> = {
  Title: other,
  Link: other,
  Comment: other,
  Attachment: other,
  Ticket: other,
  Type: {
    now: stored => String(stored.template_id),
    canReturn: (_, { before }, { types }) => types.has(Number(before)),
    reverse: ({ before }) => (idOf(before) === null ? {} : { idTemplate: Number(before) }),
  },
  State: {
    now: stored => String(stored.state_id),
    canReturn: (_, { before }, { states }) => states.has(Number(before)),
    reverse: ({ before }) => (idOf(before) === null ? {} : { State: Number(before) }),
  },
  Parent: {
    now: stored => idText(stored.parent_id),
    canReturn: (_, { before }, { parents }) => before === null || parents.has(Number(before)),
    reverse: ({ before }) => ({ idParent: idOf(before) }),
  },
  Watch: {
    now: stored => (stored.watched ? '1' : '0'),
    canReturn: () => true,
    reverse: ({ before }) => ({ Watch: before === '1' ? 1 : 0 }),
  },
  Trash: {
    now: (stored, row) => (stored.in_trash ? subjectOf(row) : null),
    canReturn: () => true,
    // `reversed` does it: a ticket that goes back to the trash is not changed otherwise.
    reverse: () => ({}),
  },
  Assignee: {
    now: (stored, row) => {
      const pair = parsePair(subjectOf(row))
      return stored.held.some(([user, role]) => user === pair?.idUser && role === pair.idRole) ? subjectOf(row) : null
    },
    canReturn: (stored, row) => {
      const pair = parsePair(subjectOf(row))
      return pair !== null && stored.members.includes(pair.idUser) && stored.roles.includes(pair.idRole)
    },
    reverse: (row, { TicketAssign = [] }) => {
      const pair = parsePair(subjectOf(row))
      return pair ? { TicketAssign: [...TicketAssign, { ...pair, Enabled: row.before === null ? 0 : 1 }] } : {}
    },
  },
  Label: {
    now: (stored, row) => (stored.labels.some(([id, , carried]) => carried && id === labelIdOf(subjectOf(row))) ? subjectOf(row) : null),
    canReturn: (stored, row) => stored.labels.some(([id]) => id === labelIdOf(subjectOf(row))),
    reverse: (row, { Labels = [] }) => {
      const idLabel = labelIdOf(subjectOf(row))
      return idLabel === null ? {} : { Labels: [...Labels, { idLabel, Enabled: row.before === null ? 0 : 1 }] }
    },
  },
  'data.': {
    now: (stored, row) => fieldOf(stored, row)?.value || null,
    canReturn: (stored, row) => {
      const field = fieldOf(stored, row)
      const isMember = (id: number) => stored.members.includes(id)
      return !!field && problemOfValue({ typeId: field.type_id, options: field.options }, row.before ?? '', isMember) === undefined
    },
    reverse: ({ field, before }, { data }) => ({ data: { ...data, [field.slice('data.'.length)]: before ?? '' } }),
  },
}
function kindOf({ field }: History) {
  return kinds[isFieldPart(field) ? 'data.' : field]
}
/** Who or what a row added or removed. */
function subjectOf({ before, after }: History) {
  return before ?? after
}
function fieldOf({ fields }: BulkStored, row: History) {
  return fields.find(({ key }) => `data.${key}` === row.field)
}

/** The change that would revert the rows of one ticket, regardless of later changes. */
export function reversed(rows: readonly History[]): BulkChange {
  // It was restored from the trash: it goes back with its descendants.
  if (rows.some(({ field, after }) => field === 'Trash' && after === null)) return { Trash: 1 }
  const wanted: BulkChange = {}
  for (const row of rows) Object.assign(wanted, kindOf(row).reverse(row, wanted))
  return wanted
}

/** Whether rows, each list of one ticket, moved tickets to the trash or out of it. */
export function isTrash(rows: readonly (readonly History[])[]) {
  return rows.flat().some(({ field }) => field === 'Trash')
}

/** A change that needs the same permissions as reverting these rows, each list of one ticket. */
export function neededBy(rows: readonly (readonly History[])[]): BulkChange {
  const needed: BulkChange = {}
  // A restored label or state may have changed more tickets than a call may have arguments.
  for (const ticket of rows) Object.assign(needed, reversed(ticket))
  const { Trash: _, ...change } = needed
  return isTrash(rows) ? { Trash: 1, ...change } : change
}

export const ownWatching = 'Only the person who made this change can revert it: it changed what they watch'

/** Why the caller may not revert a listed change set; `rows` are lists of its changes of one ticket, representing all. */
export function refusalToRevert(scope: ProjectScope, what: string, rows: readonly (readonly History[])[]): { Refused?: string } {
  try {
    requireBulkRights(scope, what === 'import' ? { Trash: 1 } : neededBy(rows))
    if (scope.archived) throw new Failure('rule', projectArchived)
    return {}
  } catch (problem) {
    if (problem instanceof Failure) return { Refused: problem.message }
    throw problem
  }
}

/**
 * All fields, people and labels that the changes of several tickets refer to, to read them at once. Of each field it keeps one value, because
 * only its key is needed.
 */
export function unionOfChanges(changes: readonly BulkChange[]): BulkChange {
  return {
    data: Object.assign({}, ...changes.map(({ data }) => data)),
    TicketAssign: changes.flatMap(({ TicketAssign }) => TicketAssign ?? []),
    Labels: changes.flatMap(({ Labels }) => Labels ?? []),
  }
}

/** The rows that can be reverted, and those that stay: the value has changed since, or what it was before no longer exists. */
export function splitRevertible(stored: BulkStored, rows: readonly History[], exists: Existing) {
  const back: History[] = []
  const kept: { row: History; isGone: boolean }[] = []
  for (const row of rows) {
    const { now, canReturn } = kindOf(row)
    const value = now(stored, row)
    if (value === row.before) continue
    const isChanged = value !== row.after
    if (isChanged || !canReturn(stored, row, exists)) kept.push({ row, isGone: !isChanged })
    else back.push(row)
  }
  return { back, kept }
}
