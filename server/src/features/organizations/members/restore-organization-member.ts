import * as contract from '@tessera/contract/people/organizations'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { lastDeletions, partChanges } from '../../project-config/deletions.ts'
import { leavingsIn, restoreMembership } from '../../project-config/members/membership.ts'
import { requireMayChange } from '../../users/may-change.ts'
import { findOrganization, requireOrganizationAdmin } from '../queries.ts'
import { lockAccount, standingOf, standingParts } from './standing.ts'

export const restoreOrganizationMember = implement(contract.restoreOrganizationMember, async ({ db, scope, input, tellProjects }) => {
  const id = scope.targetOrganizationId
  const { idUser } = input
  await findOrganization(db, id)
  requireOrganizationAdmin(scope)
  if (await standingOf(db, id, idUser)) return { Success: 1 as const }
  const account = await lockAccount(db, idUser)
  const [deletion] = await lastDeletions(db, { organizationId: id, projectId: null }, 'organization_member', [idUser])
  if (!account || account.disabled || !deletion) throw notFound()
  const standing = { super: account.super, admin: deletion.parts.Admin === '1', manager: deletion.parts.Manager === '1' }
  requireMayChange('standing', scope, standing, idUser)
  // Later it would be a way to take in people of other organizations without asking them.
  if (!deletion.isRecent && !scope.super)
    throw new Failure('rule', 'This person was removed more than a day ago: add them again, and they are asked whether they want to join')

  await sql`
    insert into organization_member (organization_id, user_id, admin, manager)
    values (${id}, ${idUser}, ${standing.admin}, ${standing.manager})`.execute(db)
  const leavings = await leavingsIn(db, id, idUser, deletion.changeSetId)
  const back = await restoreMembership(db, { organizationId: id }, idUser, deletion.changeSetId, leavings)
  await recordChanges(db, { organizationId: id, userId: scope.userId }, [
    ...partChanges({ subject: 'organization_member', subjectId: idUser }, standingParts(standing), 'added'),
    // Sends no notifications, like the removal.
    ...back.map(change => ({ ...change, quiet: true as const })),
  ])
  tellProjects(back)
  return { Success: 1 as const }
})
