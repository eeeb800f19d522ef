import * as contract from '@tessera/contract/users'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'

export const getUserList = implement(contract.getUserList, async ({ db, scope }) => {
  if (!scope.admin && !scope.manager) return []
  const { rows } = await sql<{ id: number; LoginName: string; disabled: boolean }>`
    select u.id, u.login as "LoginName", u.disabled from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${scope.organizationId} order by lower(u.login)`.execute(db)
  return rows.map(({ disabled, ...user }) => (disabled ? { ...user, Deactivated: 1 as const } : user))
})
