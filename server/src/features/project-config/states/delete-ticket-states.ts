import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int2, int8, nullable } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges } from '../../../lib/changes.ts'
import { invalid, notFound } from '../../../lib/failure.ts'
import { requireUnblocked } from '../../tickets/links/blocking/blockers.ts'
import { configurationChange } from '../configuration-change.ts'
import { deleteRows } from '../deletions.ts'
import { lockConfiguration, lockRows } from '../ordered-rows.ts'
import { requireDeletable, templatesStartingIn, ticketsInStates } from './state-usage.ts'
import { countMoves, movedColumns, type TicketMove } from './ticket-moves.ts'
import { incrementWorkflowVersion, workflowChange, workflowOf } from './workflow/transitions.ts'

export const deleteTicketStates = implementWith(contract.deleteTicketStates, { takesLong: true }, async ({ db, scope, input }) => {
  const { ids, idReplacement } = input
  if (idReplacement !== undefined && ids.includes(idReplacement)) throw invalid('idReplacement', 'is one of the states to delete')
  await lockConfiguration(db, scope)
  const toDelete = await lockRows(db, scope, 'state', ids)
  const states = await queryRows(db, { id: int8, phase: int2 })`
    select id, phase from state
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} order by position, id`
  const kept = states.filter(({ id }) => !ids.includes(id))
  if (idReplacement !== undefined && !kept.some(({ id }) => id === idReplacement)) throw notFound()
  const templates = await templatesStartingIn(db, scope, ids)
  const tickets = await ticketsInStates(db, scope, ids)
  const replacement = kept.find(({ id }) => id === idReplacement) ?? kept[0]
  requireDeletable(
    toDelete,
    kept.length,
    templates.filter(({ archived }) => !archived),
    tickets,
    idReplacement !== undefined,
  )
  if (!replacement) throw new Error('unreachable: the last state is refused')

  const changes: Change[] = []
  // An archived template does not prevent the deletion: if restored, it starts in the replacement.
  for (const { id, entryStateId } of templates) {
    changes.push(configurationChange(scope, 'template', id, 'EntryState', String(entryStateId), String(replacement.id)))
  }
  if (templates.length > 0) {
    await sql`
      update template set entry_state_id = ${replacement.id}
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and entry_state_id = any(${ids})`.execute(db)
  }
  const inactive = new Set(states.filter(({ phase }) => phase === 3).map(({ id }) => id))
  // Without a replacement there are no tickets to move. Should a counter be wrong about that, the foreign key refuses the deletion.
  const moved = idReplacement === undefined ? [] : await moveTickets(db, scope, ids, replacement.id, inactive)
  // The slots of the tallies that are left add up to zero.
  await sql`
    delete from ticket_tally
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids})`.execute(db)
  const cut = await cutTransitions(db, scope, ids)
  const deleted = await deleteRows(db, scope, 'state', ids)
  await recordChanges(db, scope, [...changes, ...moved, ...cut, ...deleted], { projectId: scope.projectId, isMailedOnce: true })
  return { Success: 1 as const }
})

/** Moves all tickets, including those in the trash, and their counters. */
async function moveTickets(
  db: Db,
  scope: ProjectScope,
  from: readonly number[],
  to: number,
  inactive: ReadonlySet<number>,
): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { id: int8, templateId: int8, parentId: nullable(int8), trashed: bool, from: int8 })`
    with old as materialized (
      select id, state_id from ticket
      where organization_id = ${organizationId} and project_id = ${projectId} and state_id = any(${from}) order by id for no key update
    )
    update ticket set state_id = ${to}, version = version + 1, state_version = version + 1 from old
    where ticket.organization_id = ${organizationId} and ticket.id = old.id
    returning ${movedColumns}, old.state_id as "from"`
  const moves = rows.map((row): TicketMove => ({ ...row, to }))
  if (inactive.has(to)) {
    const moved = moves.filter(move => !inactive.has(move.from)).map(({ id }) => id)
    await requireUnblocked(db, scope, moved)
  }
  return await countMoves(db, scope, moves)
}

/** Removes the states' transitions from the workflow. */
async function cutTransitions(db: Db, scope: ProjectScope, ids: readonly number[]): Promise<Change[]> {
  const before = await workflowOf(db, scope)
  const { rows } = await sql`
    delete from state_transition
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId}
      and (from_state_id = any(${ids}) or to_state_id = any(${ids})) returning 1`.execute(db)
  if (rows.length === 0) return []
  const kept = before.Transitions.filter(({ from, to }) => !ids.includes(from) && !ids.includes(to))
  await incrementWorkflowVersion(db, scope)
  return [workflowChange(scope, before.Transitions, kept)]
}
