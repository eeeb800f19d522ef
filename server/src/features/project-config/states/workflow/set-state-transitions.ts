import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../../db/db.ts'
import { int4, int8 } from '../../../../db/shape.ts'
import { implement } from '../../../../http/implement.ts'
import { recordChanges } from '../../../../lib/changes.ts'
import { Failure, invalid } from '../../../../lib/failure.ts'
import { lockConfiguration, requireAll } from '../../ordered-rows.ts'
import { workflowChange, workflowOf } from './transitions.ts'

export const setStateTransitions = implement(contract.setStateTransitions, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  requireProper(input.Transitions)
  await lockConfiguration(db, scope)
  const states = await queryRows(db, { id: int8 })`
    select id from state where organization_id = ${organizationId} and project_id = ${projectId}`
  requireAll(
    states,
    input.Transitions.flatMap(({ from, to }) => [from, to]),
  )
  const before = await workflowOf(db, scope)
  if (input.Version !== undefined && input.Version !== before.Version) {
    throw new Failure('conflict', 'Somebody else has changed the workflow in the meantime', { current: { ...before } })
  }
  const from = input.Transitions.map(transition => transition.from)
  const to = input.Transitions.map(transition => transition.to)
  const rows = await queryRows(db, { version: int4 })`
    with wanted as (select * from unnest(${from}::bigint[], ${to}::bigint[]) as move (from_state_id, to_state_id)),
    removed as (
      delete from state_transition t
      where t.organization_id = ${organizationId} and t.project_id = ${projectId}
        and (t.from_state_id, t.to_state_id) not in (select from_state_id, to_state_id from wanted)
    ),
    added as (
      insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
      select ${organizationId}::bigint, ${projectId}::bigint, from_state_id, to_state_id from wanted
      on conflict (organization_id, project_id, from_state_id, to_state_id) do nothing
    )
    update project set workflow_version = workflow_version + 1
    where organization_id = ${organizationId} and id = ${projectId} returning workflow_version as version`
  const change = workflowChange(scope, before.Transitions, input.Transitions)
  if (change.before !== change.after) await recordChanges(db, scope, [change])
  return { Success: 1 as const, Version: rows[0]?.version as number }
})

function requireProper(transitions: readonly { from: number; to: number }[]) {
  const seen = new Set<string>()
  for (const [index, { from, to }] of transitions.entries()) {
    if (from === to) throw invalid(`Transitions.${index}`, 'leads from a state to itself')
    const pair = `${from} ${to}`
    if (seen.has(pair)) throw invalid(`Transitions.${index}`, 'repeats an earlier one')
    seen.add(pair)
  }
}
