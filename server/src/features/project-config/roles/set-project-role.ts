import * as contract from '@tessera/contract/projects/projects'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { configurationChange } from '../configuration-change.ts'
import { lockConfiguration, lockRows, requireFreeNames } from '../ordered-rows.ts'

export const setProjectRole = implement(contract.setProjectRole, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const [role] = await lockRows(db, scope, 'role', [input.idRole])
  if (!role || role.name === input.Role) return { Success: 1 as const }
  await requireFreeNames(db, scope, 'role', [input.Role], role.id)
  await sql`update role set name = ${input.Role} where organization_id = ${scope.organizationId} and id = ${role.id}`.execute(db)
  await recordChanges(db, scope, [configurationChange(scope, 'role', role.id, 'Name', role.name, input.Role)])
  return { Success: 1 as const }
})
