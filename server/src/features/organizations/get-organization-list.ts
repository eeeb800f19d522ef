import * as contract from '@tessera/contract/organizations'
import { acrossOrganizations } from '../../db/across-organizations.ts'
import { queryRows } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

export const getOrganizationList = implement(contract.getOrganizationList, async ({ db, scope }) => {
  return queryRows(db, { idOrganization: int8, Description: text })`${acrossOrganizations(scope.super ? 'super user' : 'own account')}
    select o.id as "idOrganization", o.title as "Description" from organization o
    where ${scope.super} or exists (select 1 from organization_member m where m.organization_id = o.id and m.user_id = ${scope.userId} and m.manager)
    order by lower(o.title), o.id`
})
