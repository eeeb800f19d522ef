import * as contract from '@tessera/contract/people/organizations'
import { queryRows } from '../../db/db.ts'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

export const getOrganizationList = implement(contract.getOrganizationList, async ({ db, scope }) => {
  return queryRows(db, { idOrganization: int8, Description: text })`${acrossOrganizations(scope.super ? 'super user' : 'own account')}
    select o.id as "idOrganization", o.title as "Description" from organization o
    where ${scope.super} or o.id in (select m.organization_id from organization_member m where m.user_id = ${scope.userId} and m.manager)
    order by lower(unaccent(o.title)), o.id`
})
