import { sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { int4, json } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import type { Change } from '../../../../lib/changes.ts'
import { configurationChange } from '../../configuration-change.ts'

export interface Transition {
  from: number
  to: number
}

/** The workflow as history keeps it: pairs of ids, in order. */
function transitionPairs(transitions: readonly Transition[]) {
  return JSON.stringify(transitions.map(({ from, to }) => [from, to]).sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d))
}

export function parseTransitions(text: string | null): Transition[] {
  return (JSON.parse(text ?? '[]') as [number, number][]).map(([from, to]) => ({ from, to }))
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
