import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, json, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { countTickets } from '../../tickets/queries.ts'
import { configurationChange } from '../queries.ts'
import { type Transition, transitionPairs } from './rules.ts'

/** Tickets per state, including those in the trash, which also prevent a deletion. Counters have the others. */
export async function ticketsInStates(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const rows = await queryRows(db, { id: int8, tickets: int4, trashed: int4 })`
    select state_id as id, sum(tickets)::int as tickets, sum(trashed)::int as trashed from (
      select state_id, tickets, 0 as trashed from ticket_tally
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids})
      union all
      select state_id, 1, 1 from ticket
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids}) and trashed_at is not null
    ) counted group by state_id having sum(tickets) > 0`
  return new Map(rows.map(row => [row.id, row]))
}

/** Templates that start in one of the states, in their order. */
export async function templatesStartingIn(db: Db, scope: ProjectScope, ids: readonly number[]) {
  return queryRows(db, { id: int8, name: text, entryStateId: int8, archived: bool })`
    select id, name, entry_state_id as "entryStateId", archived_at is not null as archived from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and entry_state_id = any(${ids})
    order by position, id`
}

export async function workflowOf(db: Db, scope: ProjectScope) {
  const rows = await queryRows(db, { Version: int4, Transitions: json<{ from: number; to: number }[]>() })`
    select p.workflow_version as "Version",
      coalesce((select json_agg(json_build_object('from', t.from_state_id, 'to', t.to_state_id) order by t.from_state_id, t.to_state_id)
        from state_transition t where t.organization_id = ${scope.organizationId} and t.project_id = p.id), '[]'::json) as "Transitions"
    from project p where p.organization_id = ${scope.organizationId} and p.id = ${scope.projectId}`
  const [workflow] = rows
  if (!workflow) throw new Error(`project ${scope.projectId} is gone`)
  return workflow
}

export function workflowChange(scope: ProjectScope, before: readonly Transition[], after: readonly Transition[]): Change {
  return configurationChange(scope, 'workflow', null, 'Transitions', transitionPairs(before), transitionPairs(after))
}

/** Increments the workflow's version: a diagram opened before must not be saved over this workflow. */
export async function incrementWorkflowVersion(db: Db, scope: ProjectScope) {
  await sql`
    update project set workflow_version = workflow_version + 1
    where organization_id = ${scope.organizationId} and id = ${scope.projectId}`.execute(db)
}

/** A ticket that a change of the configuration moved from one state to another. */
export interface TicketMove {
  id: number
  templateId: number
  parentId: number | null
  trashed: boolean
  from: number
  to: number
}
export const movedColumns = sql`ticket.id, template_id as "templateId", parent_id as "parentId", trashed_at is not null as trashed`

/** Updates the counters for moved tickets and returns the history; call it once, after the last move. */
export async function countMoves(db: Db, scope: ProjectScope, moves: readonly TicketMove[]): Promise<Change[]> {
  await countTickets(
    db,
    scope,
    moves.flatMap(({ trashed, templateId, parentId, from, to }) =>
      trashed ? [] : [{ before: { templateId, parentId, stateId: from }, after: { templateId, parentId, stateId: to } }],
    ),
  )
  const { projectId } = scope
  return moves.map(({ id, from, to }) => ticketChange({ projectId, ticketId: id }, 'State', String(from), String(to)))
}
