import * as contract from '@tessera/contract/projects/projects'
import { counted } from '../../../counted.ts'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8 } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, ticketChange } from '../../../lib/changes.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import { assigneePair } from '../../tickets/history/stored-values.ts'
import { deleteRows } from '../deletions.ts'
import { lockConfiguration, lockRows, type Row } from '../ordered-rows.ts'

export const deleteProjectRoles = implementWith(contract.deleteProjectRoles, { takesLong: true }, async ({ db, scope, input }) => {
  const { ids, idReplacement } = input
  if (idReplacement !== undefined && ids.includes(idReplacement)) throw invalid('idReplacement', 'is one of the roles to delete')
  await lockConfiguration(db, scope)
  const toDelete = await lockRows(db, scope, 'role', ids)
  const [replacement] = idReplacement === undefined ? [] : await lockRows(db, scope, 'role', [idReplacement])
  if (!replacement) await requireUnused(db, scope, toDelete)
  const changes = replacement ? await replaceRole(db, scope, ids, replacement) : []
  await recordChanges(db, scope, [...changes, ...(await deleteRows(db, scope, 'role', ids))], {
    projectId: scope.projectId,
    isMailedOnce: true,
  })
  return { Success: 1 as const }
})

async function requireUnused(db: Db, scope: ProjectScope, roles: readonly Row[]) {
  const rows = await queryRows(db, { id: int8, tickets: int4 })`
    select role_id as id, count(distinct ticket_id)::int as tickets from assignment
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and role_id = any(${roles.map(({ id }) => id)})
    group by role_id`
  const used = roles.flatMap(({ id, name }) => {
    const tickets = rows.find(row => row.id === id)?.tickets
    return tickets === undefined ? [] : [`The role ${name} is held on ${counted(tickets, 'ticket')}`]
  })
  if (used.length > 0) throw new Failure('in_use', `${used.join('; ')}: choose a role to take its place`)
}

/** Gives the replacement, once, to everybody who holds one of the roles on a ticket. */
async function replaceRole(db: Db, scope: ProjectScope, ids: readonly number[], replacement: Row): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { ticketId: int8, idUser: int8, idRole: int8, isNew: bool })`
    with held as (
      delete from assignment
      where organization_id = ${organizationId} and project_id = ${projectId} and role_id = any(${ids})
      returning ticket_id, user_id, role_id
    ),
    given as (
      insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
      select distinct ${organizationId}::bigint, ${projectId}::bigint, ticket_id, user_id, ${replacement.id}::bigint from held
      on conflict (organization_id, ticket_id, user_id, role_id) do nothing
      returning ticket_id, user_id
    )
    select ticket_id as "ticketId", user_id as "idUser", role_id as "idRole",
      (ticket_id, user_id) in (select ticket_id, user_id from given) as "isNew"
    from held order by ticket_id`
  // People who held the replacement before are left out: restoring the role must not take it from them.
  return rows.map(({ ticketId, idUser, idRole, isNew }) => {
    const after = isNew ? assigneePair(idUser, replacement.id) : null
    return ticketChange({ projectId, ticketId }, 'Assignee', assigneePair(idUser, idRole), after)
  })
}
