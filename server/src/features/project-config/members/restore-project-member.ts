import * as contract from '@tessera/contract/projects/projects'
import { sql } from 'kysely'
import { implementWith } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { lastDeletions } from '../deletions.ts'
import { lockConfiguration } from '../ordered-rows.ts'
import { lockMembers, parsePermissions, restoreMembership } from './membership.ts'

export const restoreProjectMember = implementWith(contract.restoreProjectMember, { takesLong: true }, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { organizationId, projectId } = scope
  const members = await lockMembers(db, scope)
  const member = members.find(({ userId }) => userId === input.idUser)
  if (member) return { Success: 1 as const, idProjectMember: member.id, Withheld: [] }
  const { rows: people } = await sql`
    select 1 from organization_member where organization_id = ${organizationId} and user_id = ${input.idUser} for key share`.execute(db)
  const [deletion] = await lastDeletions(db, scope, 'project_member', [input.idUser])
  if (people.length === 0 || !deletion) throw notFound()
  // Nobody grants what they do not hold.
  const [had, held] = [parsePermissions(deletion.parts.Permissions), scope.permissions]
  const back = [{ projectId, permissions: had & held }]
  await recordChanges(db, scope, await restoreMembership(db, scope, input.idUser, deletion.changeSetId, back), {
    what: 'restore',
    projectId: scope.projectId,
    isMailedOnce: true,
    undoes: [deletion.changeSetId],
  })
  const made = (await lockMembers(db, scope)).find(({ userId }) => userId === input.idUser)
  if (!made) throw new Error(`user ${input.idUser} was not brought back`)
  return { Success: 1 as const, idProjectMember: made.id, Withheld: permissionList(had & ~held) }
})
