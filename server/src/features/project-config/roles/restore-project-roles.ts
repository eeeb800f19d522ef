import * as contract from '@tessera/contract/projects/projects'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8, nullable } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, ticketChange } from '../../../lib/changes.ts'
import { assigneePair } from '../../tickets/history/stored-values.ts'
import { partOfEach, restoreDeleted } from '../deletions.ts'
import { lockConfiguration, requireFreeNames } from '../ordered-rows.ts'

export const restoreProjectRoles = implementWith(contract.restoreProjectRoles, { takesLong: true }, async ({ db, scope, input }) => {
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
  // Joined by `concat`: `push` takes each as an argument, and a call may not have as many as there are assignments.
  let held: Change[] = []
  // The latest deletion first: what it replaced may itself have replaced an earlier one.
  const undoes = [...new Set(deletions.map(deletion => deletion.changeSetId))]
  for (const changeSetId of undoes) held = held.concat(await restoreAssignments(db, scope, changeSetId, ids))
  await recordChanges(db, scope, [...changes, ...held], {
    what: 'restore',
    projectId: scope.projectId,
    isMailedOnce: true,
    undoes,
  })
  return { Success: 1 as const, Assignments: held.length }
})

/**
 * Gives the role back to everybody who still holds its replacement; people who held both before the deletion keep the other one. If the
 * replacement was deleted later, what replaced that counts. People from whom somebody took the replacement do not get the role.
 */
async function restoreAssignments(db: Db, scope: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const deletionOf = (change: string, role: string) => sql`
    select 1 from change deletion
    where deletion.organization_id = ${organizationId} and deletion.change_set_id = ${sql.ref(change)} and deletion.subject = 'role'
      and deletion.subject_id = ${sql.ref(role)} and deletion.after is null`
  const pair = (side: string) => sql`case when c.field = 'Assignee' then ${sql.ref(side)}::json end`
  // The last time that the person of `r` lost the replacement on the ticket. With a role before and after, or with its deletion, nobody took it away.
  const lastRemoval = sql`
    select removed.*, after is not null or exists (${deletionOf('removed.change_set_id', 'r.replacement_id')}) as by_role from (
      select c.id, c.after, c.change_set_id from change c
      where c.organization_id = ${organizationId} and c.ticket_id = r.ticket_id and c.id > r.change_id and c.field = 'Assignee'
        and (${pair('c.before')} ->> 'idUser')::bigint = r.user_id and (${pair('c.before')} ->> 'idRole')::bigint = r.replacement_id
      order by c.id desc limit 1
    ) removed`
  // The person of `r` held the role only because it had replaced another one, which was restored before.
  const isBackInItsPlace = sql`
    select 1 from (
      select c.change_set_id, (c.before::json ->> 'idRole')::bigint as role_id from change c
      where c.organization_id = ${organizationId} and c.ticket_id = r.ticket_id and c.change_set_id < ${changeSetId} and c.field = 'Assignee'
        and (${pair('c.after')} ->> 'idUser')::bigint = r.user_id and (${pair('c.after')} ->> 'idRole')::bigint = r.role_id
      order by c.id desc limit 1
    ) gain
    join role on role.organization_id = ${organizationId} and role.id = gain.role_id and role.id <> all(${ids})
    where exists (${deletionOf('gain.change_set_id', 'gain.role_id')})`
  const rows = await queryRows(db, { ticketId: int8, idUser: int8, idRole: int8, replacement: nullable(int8) })`
    with change_set as materialized (
      select id, ticket_id, before::json as before, after::json as after from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'Assignee' and before is not null
    ), taken as materialized (
      select * from (
        with recursive replaced (change_id, ticket_id, user_id, role_id, replacement_id) as (
          select id, ticket_id, (before ->> 'idUser')::bigint, (before ->> 'idRole')::bigint, (after ->> 'idRole')::bigint
          from change_set where (before ->> 'idRole')::bigint = any(${ids})
          union all
          select removal.id, r.ticket_id, r.user_id, r.role_id, (removal.after::json ->> 'idRole')::bigint
          from replaced r cross join lateral (${lastRemoval}) removal
          where removal.by_role and not exists (select 1 from role where role.organization_id = ${organizationId} and role.id = r.replacement_id)
        )
        select * from replaced
      ) r
      where replacement_id is null or exists (select 1 from role where role.organization_id = ${organizationId} and role.id = r.replacement_id)
    ), returning_to as materialized (
      select r.ticket_id, r.user_id, r.role_id, held.role_id as replacement_id from taken r
      join project_member m on m.organization_id = ${organizationId} and m.project_id = ${projectId} and m.user_id = r.user_id
      join ticket t on t.organization_id = ${organizationId} and t.project_id = ${projectId} and t.id = r.ticket_id
      left join assignment held on held.organization_id = ${organizationId} and held.ticket_id = r.ticket_id and held.user_id = r.user_id
        and held.role_id = r.replacement_id
      where (r.replacement_id is null or held.role_id is not null or (select removal.by_role from (${lastRemoval}) removal))
        and not exists (${isBackInItsPlace})
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
  return rows.map(({ ticketId, idUser, idRole, replacement }) => {
    const before = replacement === null ? null : assigneePair(idUser, replacement)
    return ticketChange({ projectId, ticketId }, 'Assignee', before, assigneePair(idUser, idRole))
  })
}
