import * as contract from '@tessera/contract/people/organizations'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { findOrganization, requireOrganizationAdmin, withUniqueTitle } from './queries.ts'

export const setOrganizationData = implement(contract.setOrganizationData, async ({ db, scope, input }) => {
  const id = scope.targetOrganizationId
  const { title } = await findOrganization(db, id)
  requireOrganizationAdmin(scope)
  if (title === input.Title) return { Success: 1 as const }
  await withUniqueTitle(() => db.updateTable('organization').set({ title: input.Title }).where('id', '=', id).execute())
  await recordChanges(db, { organizationId: id, userId: scope.userId }, [
    { subject: 'organization', subjectId: id, field: 'Title', before: title, after: input.Title },
  ])
  return { Success: 1 as const }
})
