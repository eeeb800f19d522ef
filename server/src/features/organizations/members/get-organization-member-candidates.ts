import * as contract from '@tessera/contract/people/organizations'
import { queryRows } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

/** Nobody scrolls through a longer list; any other login can be typed. */
const most = 200

export const getOrganizationMemberCandidates = implement(contract.getOrganizationMemberCandidates, async ({ db, scope }) => {
  const id = scope.targetOrganizationId
  // Every removal has a history row that says who left.
  return queryRows(db, { id: int8, LoginName: text, FullName: text })`
    select u.id, u.login as "LoginName", u.full_name as "FullName" from user_account u
    where u.id in (select c.subject_id from change c where c.organization_id = ${id} and c.subject = 'organization_member' and c.after is null)
      and not exists (select 1 from organization_member m where m.organization_id = ${id} and m.user_id = u.id)
      and not u.disabled and (not u.super or ${scope.super})
    order by lower(unaccent(u.login)) limit ${most}`
})
