import * as contract from '@tessera/contract/projects'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8, nullable } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges } from '../../../lib/changes.ts'
import { assigneePair } from '../../tickets/history/rules.ts'
import { assigneeChange } from '../members/queries.ts'
import { lockConfiguration, partOfEach, requireFreeNames, restoreDeleted } from '../queries.ts'

export const restoreProjectRoles = implement(contract.restoreProjectRoles, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { deletions, changes } = await restoreDeleted(db, scope, 'role', input.ids, async deleted => {
    const names = deleted.map(({ parts }) => parts.Name ?? '')
    await requireFreeNames(db, scope, 'role', names)
    await sql`
      insert into role (organization_id, project_id, id, name, position)
      select ${scope.organizationId}::bigint, ${scope.projectId}::bigint, r.*
      from unnest(${deleted.map(({ id }) => id)}::bigint[], ${names}::text[], ${partOfEach(deleted, 'Position')}::int[]) as r`.execute(db)
  })
  const ids = deletions.map(({ id }) => id)
  const held: Change[] = []
  // The latest deletion first: what it replaced may itself have replaced an earlier one.
  for (const changeSetId of new Set(deletions.map(deletion => deletion.changeSetId))) {
    held.push(...(await restoreAssignments(db, scope, changeSetId, ids)))
  }
  await recordChanges(db, scope, [...changes, ...held], { what: 'restore', projectId: scope.projectId })
  return { Success: 1 as const, Assignments: held.length }
})

/** Gives the role back to everybody who still holds its replacement; people who held both before the deletion keep the other one. */
async function restoreAssignments(db: Db, scope: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { ticketId: int8, idUser: int8, idRole: int8, replacement: nullable(int8) })`
    with change_set as materialized (
      select ticket_id, before::json as before, after::json as after from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'Assignee'
    ), taken as materialized (
      select ticket_id, (before ->> 'idUser')::bigint as user_id, (before ->> 'idRole')::bigint as role_id, (after ->> 'idRole')::bigint as replacement_id
      from change_set where before is not null
    ), returning_to as materialized (
      select taken.* from taken
      join project_member m on m.organization_id = ${organizationId} and m.project_id = ${projectId} and m.user_id = taken.user_id
      join ticket t on t.organization_id = ${organizationId} and t.project_id = ${projectId} and t.id = taken.ticket_id
      where taken.role_id = any(${ids}) and (taken.replacement_id is null or exists (
        select 1 from assignment a
        where a.organization_id = ${organizationId} and a.ticket_id = taken.ticket_id and a.user_id = taken.user_id
          and a.role_id = taken.replacement_id))
    ), ended as (
      delete from assignment a using returning_to back
      where a.organization_id = ${organizationId} and a.ticket_id = back.ticket_id and a.user_id = back.user_id and a.role_id = back.replacement_id
    ), given as (
      insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
      select ${organizationId}::bigint, ${projectId}::bigint, ticket_id, user_id, role_id from returning_to
      on conflict (organization_id, ticket_id, user_id, role_id) do nothing
    )
    select ticket_id as "ticketId", user_id as "idUser", role_id as "idRole", replacement_id as replacement
    from returning_to order by ticket_id`
  return rows.map(({ ticketId, idUser, idRole, replacement }) =>
    assigneeChange(ticketId, projectId, replacement === null ? null : assigneePair(idUser, replacement), assigneePair(idUser, idRole)),
  )
}
