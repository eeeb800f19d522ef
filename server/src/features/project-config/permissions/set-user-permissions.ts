import { allPermissions, type PermissionId, permissionName } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { holds, permissionList, permissionMask } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, invalid, notFound } from '../../../lib/failure.ts'
import { configurationChange } from '../configuration-change.ts'
import { lockMembers } from '../members/membership.ts'
import { type Member, requireAnotherHolder, requireHeld } from '../members/permission-holders.ts'
import { lockConfiguration } from '../ordered-rows.ts'

export const setUserPermissions = implement(contract.setUserPermissions, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const members = await lockMembers(db, scope)
  const byId = new Map(members.map(member => [member.id, member]))
  const wanted = new Map(input.Members.map(({ idProjectMember, Permissions }) => [idProjectMember, permissionMask(Permissions)]))
  if (wanted.size < input.Members.length) throw invalid('Members', 'names somebody twice')
  const pairs = [...wanted].map(([id, permissions]): [before: Member, after: Member] => {
    const before = byId.get(id)
    if (!before) throw notFound()
    return [before, { ...before, permissions }]
  })
  const ofAnswer = ({ id, permissions }: Member) => ({ idProjectMember: id, Permissions: permissionList(permissions) })
  const isOther = input.Members.some(
    ({ idProjectMember, Before }) => Before && byId.get(idProjectMember)?.permissions !== permissionMask(Before),
  )
  if (isOther)
    throw new Failure('conflict', 'These permissions were changed meanwhile', { current: { Members: pairs.map(([now]) => ofAnswer(now)) } })
  const changed = pairs.filter(([before, after]) => before.permissions !== after.permissions)
  const touched = changed.reduce((mask, [before, after]) => mask | (before.permissions ^ after.permissions), 0)
  requireHeld(scope, touched)
  requireAnotherHolder(scope, members, ...changed.map(([, after]) => after))
  await sql`
    update project_member m set permissions = n.permissions
    from unnest(${changed.map(([{ id }]) => id)}::bigint[], ${changed.map(([, { permissions }]) => permissions)}::int[]) as n (id, permissions)
    where m.organization_id = ${scope.organizationId} and m.id = n.id`.execute(db)
  const flag = (member: Member, id: PermissionId) => (holds(member, id) ? '1' : '0')
  await recordChanges(
    db,
    scope,
    changed.flatMap(([before, after]) =>
      allPermissions
        .filter(id => flag(before, id) !== flag(after, id))
        .map(id => configurationChange(scope, 'project_member', before.userId, permissionName(id), flag(before, id), flag(after, id))),
    ),
  )
  return { Success: 1 as const, Before: changed.map(([before]) => ofAnswer(before)) }
})
