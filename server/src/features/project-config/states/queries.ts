import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'

/** Tickets per state, those in the trash too: they stand in the way of a delete as well. */
export async function ticketsInStates(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; tickets: number; trashed: number }>`
    select state_id as id, count(*)::int as tickets, count(trashed_at)::int as trashed from ticket
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids})
    group by state_id`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** Templates that start in one of the states, in their order. */
export async function templatesStartingIn(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string; entryStateId: number; archived: boolean }>`
    select id, name, entry_state_id as "entryStateId", archived_at is not null as archived from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and entry_state_id = any(${ids})
    order by position, id`.execute(db)
  return rows
}

export async function workflowOf(db: Db, scope: ProjectScope) {
  const { rows } = await sql<{ Version: number; Transitions: { from: number; to: number }[] }>`
    select p.workflow_version as "Version",
      coalesce((select json_agg(json_build_object('from', t.from_state_id, 'to', t.to_state_id) order by t.from_state_id, t.to_state_id)
        from state_transition t where t.organization_id = ${scope.organizationId} and t.project_id = p.id), '[]'::json) as "Transitions"
    from project p where p.organization_id = ${scope.organizationId} and p.id = ${scope.projectId}`.execute(db)
  const [workflow] = rows
  if (!workflow) throw new Error(`project ${scope.projectId} is gone`)
  return workflow
}
