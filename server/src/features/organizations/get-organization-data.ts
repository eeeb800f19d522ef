import * as contract from '@tessera/contract/people/organizations'
import { queryRows, run, unpreparedStatement } from '../../db/db.ts'
import { flag, int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { findOrganization } from './queries.ts'

const membersOf = unpreparedStatement(
  { idUser: int8, LoginName: text, FullName: text, Admin: flag, Manager: flag },
  `
  select u.id as "idUser", u.login as "LoginName", u.full_name as "FullName", m.admin::int as "Admin", m.manager::int as "Manager"
  from organization_member m join user_account u on u.id = m.user_id
  where m.organization_id = $1 order by lower(unaccent(u.login))`,
)

export const getOrganizationData = implement(contract.getOrganizationData, async ({ db, scope }) => {
  const id = scope.targetOrganizationId
  const { title } = await findOrganization(db, id)
  const projects = await queryRows(db, { idProject: int8, Title: text, ShortCode: text, Archived: flag })`
    select id as "idProject", title as "Title", short_code as "ShortCode", (archived_at is not null)::int as "Archived"
    from project where organization_id = ${id} order by lower(unaccent(title)), id`
  const members = await run(db, membersOf, [id])
  return {
    idOrganization: id,
    Title: title,
    Projects: projects,
    Members: members,
    Editable: scope.admin ? (1 as const) : (0 as const),
  }
})
