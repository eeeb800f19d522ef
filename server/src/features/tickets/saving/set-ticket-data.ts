import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/tickets'
import { type Db, memoize, run, statement } from '../../../db/db.ts'
import { bool, int8, text } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { type ProjectScope, reading, requireOpen, requirePermission, type TicketScope, withPresentRights } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { openRow, openStatement } from '../../../lib/proofs.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { personName } from '../assignees/person-name.ts'
import { requireUnblocked } from '../links/blocking/blockers.ts'
import { outputStates } from '../output-states.ts'
import { type Changes, decideChanges, problemOfLimit, type Stored, storedRow } from './decide-changes.ts'
import { type ReadPart, readOf, storedTicket } from './stored-ticket.ts'
import { writeChanges } from './write-changes.ts'

type Input = Request<typeof contract.setTicketData>

const readFirst = memoize((...parts: ReadPart[]) => reading('ticket', storedRow, storedTicket(parts, 't.id = $5', 'scope.project_id', 6)))
const readHeld = memoize((...parts: ReadPart[]) =>
  statement(
    { ...storedRow, ...openRow },
    `select stored.*, present.* from (${storedTicket(parts, 't.id = $3', '$2', 5)}) stored, (${openStatement.text}) present`,
  ),
)

// A state with an enforced limit is locked before the ticket: moves into it take turns, so that each counts the others.
const hold = statement(
  { id: int8 },
  `
  with limited as materialized (
    select id from state where organization_id = $1 and project_id = $2 and id = $4::bigint and limit_holds for no key update
  )
  select id from ticket where organization_id = $1 and project_id = $2 and id = $3 and (select count(*) from limited) >= 0 for no key update`,
)

export const setTicketData = implementWith(
  contract.setTicketData,
  {
    opensNoTransaction: true,
    read: input => {
      const { parts, parameters } = readOf(input)
      return { statement: readFirst(...parts), parameters }
    },
  },
  async ({ db, scope, input, row: stored }) => {
    requireSaveRights(scope, input)
    requireOpen(scope)
    // A save that collides with another one starts over with the ticket locked, and so does one for which the state's tickets have to be counted.
    const saved = stored?.room ? undefined : await save(db, scope, input, stored)
    return saved ?? (await inTransaction(db, held => saveLocked(held, scope, input)))
  },
)

/** 422 unless the caller may change each part of the input. */
export function requireSaveRights(scope: ProjectScope, input: Omit<Input, 'idTicket'>) {
  const { Title, idTemplate, data, Labels } = input
  if ([Title, idTemplate, data, Labels].some(part => part !== undefined)) requirePermission(scope, permission.editTickets)
  if (input.State !== undefined) requirePermission(scope, permission.changeState)
  if (input.TicketAssign !== undefined) requirePermission(scope, permission.assignPeople)
}

/** Saves as part of a transaction: the ticket is locked first; then it and the caller's rights are read. */
export async function saveLocked(db: Db, scope: TicketScope, input: Input, requireRights = requireSaveRights) {
  const { organizationId, projectId, ticketId, userId } = scope
  await run(db, hold, [organizationId, projectId, ticketId, input.State ?? null])
  const { parts, parameters } = readOf(input)
  // Other rows that the save depends on may still change between the two statements.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [stored] = await run(db, readHeld(...parts), [organizationId, projectId, ticketId, userId, ...parameters])
    if (!stored) throw notFound()
    const present = withPresentRights(scope, stored)
    requireRights(present, input)
    const saved = await save(db, present, input, stored)
    if (saved) return saved
  }
  throw new Failure('unavailable', 'The project is being changed, try again in a moment')
}

/** Decides and writes; undefined when somebody else saved since the ticket was read. */
async function save(db: Db, scope: TicketScope, input: Input, stored: Stored | undefined) {
  if (!stored || stored.version === null) throw notFound()
  requireOpen({ ...scope, trashed: stored.in_trash })
  const changes = decideChanges(stored, input)
  await requireNoConflict(db, scope, stored, input, changes)
  if (stored.blocked && changes.stateId !== null) await requireUnblocked(db, scope, [scope.ticketId])
  if (stored.room && changes.stateId !== null && stored.room.tickets >= stored.room.limit)
    throw new Failure('rule', problemOfLimit(stored.room))
  // The caller may not have seen what others saved since the version that it knows.
  if (changes.history.length === 0) return { Success: 1 as const, Version: Math.min(stored.version, input.Version ?? stored.version) }

  const saved = await writeChanges(db, scope, stored, changes)
  if (!saved) return undefined
  return {
    Success: 1 as const,
    Version: saved.version,
    ...(changes.stateId === null ? {} : { States: await outputStates(db, scope, changes.stateId) }),
  }
}

const lastChanges = statement(
  { field: text, by: text, own: bool, at: int8 },
  `
  select distinct on (c.field) c.field, coalesce(${personName}, '') as by, c.user_id is not distinct from $4 as own, floor(extract(epoch from c.changed_at))::bigint as at
  from change c left join user_account u on u.id = c.user_id
  where c.organization_id = $1 and c.ticket_id = $2 and c.field = any($3) order by c.field, c.id desc`,
)
const stateOf = statement({ State: text }, 'select name as "State" from state where organization_id = $1 and project_id = $2 and id = $3')

/** Answers 409 with the current ticket if a field was changed in between, or the state cannot be reached. */
async function requireNoConflict(db: Db, scope: TicketScope, stored: Stored, input: Input, { conflicts, stateId }: Changes) {
  const blocked = stateId !== null && stored.reachable === false
  if (conflicts.length === 0 && !blocked) return
  const { organizationId, projectId, ticketId, userId } = scope
  const last = new Map(
    (await run(db, lastChanges, [organizationId, ticketId, conflicts.map(({ Field }) => Field), userId])).map(row => [row.field, row]),
  )
  // In another window, or before the UNDO of an older change.
  const isOwn = conflicts.every(({ Field }) => last.get(Field)?.own)
  const [state] = await run(db, stateOf, [organizationId, projectId, stored.state_id])
  throw new Failure(
    'conflict',
    conflicts.length > 0
      ? `${isOwn ? 'You' : 'Somebody else'} changed this meanwhile`
      : `This ticket cannot go from ${state?.State} to that state`,
    {
      current: {
        Conflicts: conflicts.map(conflict => ({
          ...conflict,
          ChangedBy: last.get(conflict.Field)?.by ?? '',
          ChangedAt: last.get(conflict.Field)?.at ?? 0,
        })),
        Version: stored.version,
        Title: stored.title,
        idTemplate: stored.template_id,
        idState: stored.state_id,
        State: state?.State ?? '',
        data: Object.fromEntries(stored.fields.map(({ key, value }) => [key, value ?? ''])),
        ...(input.State === undefined ? {} : { States: await outputStates(db, scope, stored.state_id) }),
      },
    },
  )
}
