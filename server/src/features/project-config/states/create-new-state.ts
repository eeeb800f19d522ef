import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { newParts } from '../configuration-change.ts'
import { lockConfiguration, nextPosition, requireFreeNames } from '../ordered-rows.ts'

export const createNewState = implement(contract.createNewState, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  await requireFreeNames(db, scope, 'state', [input.State])
  const position = await nextPosition(db, scope, 'state')
  const rows = await queryRows(db, { id: int8 })`
    insert into state (organization_id, project_id, name, phase, position)
    values (${scope.organizationId}, ${scope.projectId}, ${input.State}, ${input.idPhase}, ${position}) returning id`
  const idState = rows[0]?.id as number
  await recordChanges(db, scope, newParts(scope, 'state', idState, { Name: input.State, Phase: String(input.idPhase) }))
  return { Success: 1 as const, idState }
})
