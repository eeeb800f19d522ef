import { type Db, run, statement } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'

/** SQL that is true when the workflow of the project lets a ticket go from one state to the other. $1 is the organization. */
export function mayMove(project: string, from: string, to: string) {
  return `(exists (select 1 from state_transition w where w.organization_id = $1 and w.project_id = ${project}
      and w.from_state_id = ${from} and w.to_state_id = ${to})
    or not exists (select 1 from state_transition w where w.organization_id = $1 and w.project_id = ${project}))`
}

const outputStatesStatement = statement(
  { id: int8, Description: text },
  `
  select s.id, s.name as "Description" from state s
  where s.organization_id = $1 and s.project_id = $2 and s.id <> $3 and ${mayMove('$2', '$3', 's.id')}
  order by s.position, s.id`,
)

/** The states a ticket of this project may go to from `stateId`. */
export function outputStates(db: Db, scope: ProjectScope, stateId: number) {
  return run(db, outputStatesStatement, [scope.organizationId, scope.projectId, stateId])
}
