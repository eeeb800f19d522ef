import * as contract from '@tessera/contract/people/users'
import { run, unpreparedStatement } from '../../db/db.ts'
import { bool, int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

const members = unpreparedStatement(
  { id: int8, LoginName: text, FullName: text, disabled: bool },
  `
  select u.id, u.login as "LoginName", u.full_name as "FullName", u.disabled from organization_member m join user_account u on u.id = m.user_id
  where m.organization_id = $1 order by lower(unaccent(u.login))`,
)

export const getUserList = implement(contract.getUserList, async ({ db, scope, input }) => {
  if (!scope.admin && !scope.manager) return []
  const rows = await run(db, members, [scope.organizationId])
  return rows.map(({ id, LoginName, FullName, disabled }) => ({
    id,
    LoginName,
    ...(input.Names === 1 && { FullName }),
    ...(disabled && { Deactivated: 1 as const }),
  }))
})
