import * as contract from '@tessera/contract/people/organizations'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { withUniqueTitle } from './queries.ts'

// The super user does not become a member: they may sign in to any organization, and appoint its administrator on its page.
export const createOrganization = implement(contract.createOrganization, async ({ db, scope, input }) => {
  const { id } = await withUniqueTitle(() =>
    db.insertInto('organization').values({ title: input.Title }).returning('id').executeTakeFirstOrThrow(),
  )
  await recordChanges(db, { organizationId: id, userId: scope.userId }, [
    { subject: 'organization', subjectId: id, field: 'Organization', before: null, after: input.Title },
  ])
  return { Success: 1 as const, idOrganization: id }
})
