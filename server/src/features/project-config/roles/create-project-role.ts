import * as contract from '@tessera/contract/projects/projects'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { newParts } from '../configuration-change.ts'
import { lockConfiguration, nextPosition, requireFreeNames } from '../ordered-rows.ts'

export const createProjectRole = implement(contract.createProjectRole, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  await requireFreeNames(db, scope, 'role', [input.Role])
  const position = await nextPosition(db, scope, 'role')
  const rows = await queryRows(db, { id: int8 })`
    insert into role (organization_id, project_id, name, position)
    values (${scope.organizationId}, ${scope.projectId}, ${input.Role}, ${position}) returning id`
  const idRole = rows[0]?.id as number
  await recordChanges(db, scope, newParts(scope, 'role', idRole, { Name: input.Role }))
  return { Success: 1 as const, idRole }
})
