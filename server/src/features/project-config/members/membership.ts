import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, text } from '../../../db/shape.ts'
import { type ProjectScope, permissionList, permissionMask, type SessionScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { assigneePair } from '../../tickets/history/stored-values.ts'
import { partChanges } from '../deletions.ts'
import type { Member } from './permission-holders.ts'

/** All members of the project, locked. */
export async function lockMembers(db: Db, scope: ProjectScope): Promise<Member[]> {
  return queryRows(db, { id: int8, userId: int8, permissions: int4, disabled: bool })`
    select m.id, m.user_id as "userId", m.permissions, u.disabled from project_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${scope.organizationId} and m.project_id = ${scope.projectId} order by m.id for no key update of m`
}

/** Removes a person from projects and from the tickets they hold roles on there. Returns the changes. */
export async function removeMember(
  db: Db,
  { organizationId }: Pick<SessionScope, 'organizationId'>,
  userId: number,
  projects: readonly number[],
): Promise<Change[]> {
  const members = await queryRows(db, { projectId: int8, permissions: int4 })`
    select project_id as "projectId", permissions from project_member
    where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})
    order by project_id for update`
  const assignments = await queryRows(db, { ticketId: int8, projectId: int8, roleId: int8 })`
    delete from assignment where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})
    returning ticket_id as "ticketId", project_id as "projectId", role_id as "roleId"`
  await sql`
    delete from project_member
    where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})`.execute(db)
  return [
    ...members.flatMap(({ projectId, permissions }) =>
      partChanges({ subject: 'project_member', subjectId: userId, projectId }, memberParts(userId, permissions), 'deleted'),
    ),
    ...assignments.map(held => ticketChange(held, 'Assignee', assigneePair(userId, held.roleId), null)),
  ]
}

/** History of a person joining a project. */
export function memberChange(projectId: number, userId: number): Change {
  return { subject: 'project_member', subjectId: userId, projectId, field: 'Member', before: null, after: String(userId) }
}

/** The parts of a leaving member that history records. */
function memberParts(userId: number, permissions: number) {
  return { Member: String(userId), Permissions: JSON.stringify(permissionList(permissions)) }
}

export function parsePermissions(text = '[]') {
  return permissionMask(JSON.parse(text))
}

/** One project that a person left in a change set, and what they could do there. */
export interface Leaving {
  projectId: number
  permissions: number
}

export async function leavingsIn(db: Db, organizationId: number, userId: number, changeSetId: number): Promise<Leaving[]> {
  const rows = await queryRows(db, { projectId: int8, permissions: text })`
    select project_id as "projectId", before as permissions from change
    where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'project_member' and subject_id = ${userId}
      and field = 'Permissions' and after is null order by project_id`
  return rows.map(({ projectId, permissions }) => ({ projectId, permissions: parsePermissions(permissions) }))
}

/**
 * Reverts `removeMember`: the person becomes a member with the given permissions, and gets back the roles on tickets that ended with that
 * change set, as far as the roles still exist. Returns the changes; a project they have rejoined in between is left alone.
 */
export async function restoreMembership(
  db: Db,
  { organizationId }: Pick<SessionScope, 'organizationId'>,
  userId: number,
  changeSetId: number,
  leavings: readonly Leaving[],
): Promise<Change[]> {
  const members = await queryRows(db, { projectId: int8, permissions: int4 })`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${organizationId}::bigint, p.id, ${userId}::bigint, leaving.permissions
    from unnest(${leavings.map(({ projectId }) => projectId)}::bigint[], ${leavings.map(({ permissions }) => permissions)}::int[])
      as leaving (project_id, permissions)
    join project p on p.organization_id = ${organizationId} and p.id = leaving.project_id order by p.id
    on conflict (organization_id, project_id, user_id) do nothing
    returning project_id as "projectId", permissions`
  const assignments = await queryRows(db, { ticketId: int8, projectId: int8, roleId: int8 })`
    with ended as materialized (
      select ticket_id, before::json as pair from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'Assignee' and after is null
    )
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${organizationId}::bigint, t.project_id, t.id, ${userId}::bigint, r.id from ended
    join ticket t on t.organization_id = ${organizationId} and t.id = ended.ticket_id and t.project_id = any(${members.map(({ projectId }) => projectId)})
    join role r on r.organization_id = ${organizationId} and r.project_id = t.project_id and r.id = (ended.pair ->> 'idRole')::bigint
    where (ended.pair ->> 'idUser')::bigint = ${userId} order by t.id
    on conflict (organization_id, ticket_id, user_id, role_id) do nothing
    returning ticket_id as "ticketId", project_id as "projectId", role_id as "roleId"`
  return [
    ...members.flatMap(({ projectId, permissions }) =>
      partChanges({ subject: 'project_member', subjectId: userId, projectId }, memberParts(userId, permissions), 'added'),
    ),
    ...assignments.map(held => ticketChange(held, 'Assignee', null, assigneePair(userId, held.roleId))),
  ]
}
