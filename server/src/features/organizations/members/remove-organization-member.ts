import * as contract from '@tessera/contract/people/organizations'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { partChanges } from '../../project-config/deletions.ts'
import { removeMember } from '../../project-config/members/membership.ts'
import { requireMayChange } from '../../users/may-change.ts'
import { findOrganization, requireOrganizationAdmin } from '../queries.ts'
import { requireAnotherAdmin, standingOf, standingParts } from './standing.ts'

export const removeOrganizationMember = implementWith(
  contract.removeOrganizationMember,
  { takesLong: true },
  async ({ db, scope, input, tellProjects }) => {
    const id = scope.targetOrganizationId
    await findOrganization(db, id)
    requireOrganizationAdmin(scope)
    const target = await standingOf(db, id, input.idUser)
    if (!target) throw notFound()
    requireMayChange('standing', scope, target, input.idUser)
    if (target.admin) await requireAnotherAdmin(db, id, input.idUser)
    const projects = await queryRows(db, { id: int8 })`
    select project_id as id from project_member where organization_id = ${id} and user_id = ${input.idUser}`
    const left = await removeMember(
      db,
      { organizationId: id },
      input.idUser,
      projects.map(project => project.id),
    )
    tellProjects(left)
    await sql`delete from organization_member where organization_id = ${id} and user_id = ${input.idUser}`.execute(db)
    // An open invitation, of a person whom a super user added in the meantime, would let them rejoin.
    await sql`delete from invitation where organization_id = ${id} and user_id = ${input.idUser}`.execute(db)
    await sql`
    update session set ended_at = now(), end_reason = 'revoked'
    where organization_id = ${id} and user_id = ${input.idUser} and ended_at is null`.execute(db)
    await recordChanges(db, { organizationId: id, userId: scope.userId }, [
      ...partChanges({ subject: 'organization_member', subjectId: input.idUser }, standingParts(target), 'deleted'),
      // It is in the tickets' history; a mail about each of them would be too many.
      ...left.map(change => ({ ...change, quiet: true as const })),
    ])
    return { Success: 1 as const }
  },
)
