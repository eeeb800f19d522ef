import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { ProjectScope, SessionScope } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { assigneePair } from '../../tickets/history/rules.ts'
import type { Member } from './rules.ts'

/** All members of the project, locked. */
export async function lockMembers(db: Db, scope: ProjectScope): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select id, user_id as "userId", permissions from project_member
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} order by id for no key update`.execute(db)
  return rows
}

/** Takes a person out of projects, and off the tickets they hold roles on there. Returns what changed. */
export async function removeMember(
  db: Db,
  { organizationId }: Pick<SessionScope, 'organizationId'>,
  userId: number,
  projects: readonly number[],
): Promise<Change[]> {
  const { rows: members } = await sql<{ projectId: number }>`
    select project_id as "projectId" from project_member
    where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})
    order by project_id for update`.execute(db)
  const { rows: assignments } = await sql<{ ticketId: number; projectId: number; roleId: number }>`
    delete from assignment where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})
    returning ticket_id as "ticketId", project_id as "projectId", role_id as "roleId"`.execute(db)
  await sql`
    delete from project_member
    where organization_id = ${organizationId} and user_id = ${userId} and project_id = any(${projects})`.execute(db)
  return [
    ...members.map(({ projectId }) => memberChange(projectId, userId, false)),
    ...assignments.map(
      ({ ticketId, projectId, roleId }): Change => ({
        subject: 'ticket',
        subjectId: ticketId,
        projectId,
        ticketId,
        field: 'Assignee',
        before: assigneePair(userId, roleId),
        after: null,
      }),
    ),
  ]
}

/** History of somebody joining or leaving a project. */
export function memberChange(projectId: number, userId: number, joins: boolean): Change {
  const id = String(userId)
  return { subject: 'project_member', subjectId: userId, projectId, field: 'Member', before: joins ? null : id, after: joins ? id : null }
}
