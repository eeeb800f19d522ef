import * as contract from '@tessera/contract/people/organizations'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { Failure, invalid, notFound } from '../../../lib/failure.ts'
import { bucket, countFailure, requireNotThrottled } from '../../../lib/throttle.ts'
import type { System } from '../../../process/system.ts'
import { requireMayChange } from '../../users/may-change.ts'
import { findOrganization, requireOrganizationAdmin } from '../queries.ts'
import { invite } from './invitations.ts'
import { lockAccount, requireAnotherAdmin, standingOf } from './standing.ts'

export const setOrganizationMember = implement(contract.setOrganizationMember, async ({ db, scope, input, system }) => {
  const id = scope.targetOrganizationId
  if ((input.idUser === undefined) === (input.LoginName === undefined))
    throw invalid('LoginName', 'must be given if idUser is not, and only then')
  const { title } = await findOrganization(db, id)
  requireOrganizationAdmin(scope)
  const idUser = input.idUser ?? (await findByLogin(db, scope, input.LoginName as string))
  if (idUser instanceof Failure) return idUser
  const before = await standingOf(db, id, idUser)
  if (!before && input.idUser !== undefined) throw notFound()
  if (before) requireMayChange('standing', scope, before, idUser)

  const admin = input.Admin === undefined ? (before?.admin ?? false) : input.Admin === 1
  const manager = input.Manager === undefined ? (before?.manager ?? false) : input.Manager === 1
  if (manager && !before?.manager && idUser === scope.userId && !scope.super) {
    throw new Failure('not_permitted', 'You cannot make yourself a manager', { needs: 'Organization manager' })
  }
  if (!before && !scope.super) {
    await inviteTo(db, system, { id, title }, { userId: idUser, admin, manager }, scope.userId)
    return { Success: 1 as const, idUser, Invited: 1 as const }
  }
  if (!before && (await lockAccount(db, idUser))?.disabled !== false) throw notFound()
  if (before?.admin && !admin) await requireAnotherAdmin(db, id, idUser)
  await sql`
    insert into organization_member (organization_id, user_id, admin, manager) values (${id}, ${idUser}, ${admin}, ${manager})
    on conflict (organization_id, user_id) do update set admin = excluded.admin, manager = excluded.manager`.execute(db)

  const text = (flag: boolean | undefined) => String(Number(flag ?? false))
  const changes = changesOf(
    { subject: 'organization_member', subjectId: idUser },
    { Member: [before ? '1' : null, '1'], Admin: [text(before?.admin), text(admin)], Manager: [text(before?.manager), text(manager)] },
  )
  await recordChanges(db, { organizationId: id, userId: scope.userId }, changes)
  return { Success: 1 as const, idUser }
})

/** Invites a person who belongs to other organizations: they join when they accept. */
async function inviteTo(
  db: Db,
  system: System,
  organization: { id: number; title: string },
  invited: { userId: number; admin: boolean; manager: boolean },
  inviterId: number,
) {
  await countFailure(db, [bucket('invitation', inviterId, 30, 60)])
  await invite(db, system, organization, invited, inviterId)
  await recordChanges(db, { organizationId: organization.id, userId: inviterId }, [
    { subject: 'organization_member', subjectId: invited.userId, field: 'Invitation', before: null, after: '1' },
  ])
}

/** Anybody of the installation, by login; super users add themselves. Lookups of unknown logins are limited, since they reveal which logins exist. */
async function findByLogin(db: Db, actor: { userId: number; super: boolean }, login: string) {
  const misses = bucket('unknown-login', actor.userId, 30, 60)
  await requireNotThrottled(db, [misses])
  const rows = await queryRows(db, { id: int8 })`
    select id from user_account where lower(login) = lower(${login}) and not disabled and (not super or ${actor.super})`
  if (!rows[0]) {
    await countFailure(db, [misses])
    // Returned, not thrown: the miss stays counted.
    return notFound()
  }
  return rows[0].id
}
