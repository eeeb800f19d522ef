import * as contract from '@tessera/contract/organizations'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { notFound } from '../../lib/failure.ts'

type Flag = 0 | 1

export const getOrganizationData = implement(contract.getOrganizationData, async ({ db, scope }) => {
  const id = scope.targetOrganizationId
  const organization = await db.selectFrom('organization').select('title').where('id', '=', id).executeTakeFirst()
  if (!organization) throw notFound()
  const projects = await sql<{ idProject: number; Title: string; ShortCode: string; Archived: Flag }>`
    select id as "idProject", title as "Title", short_code as "ShortCode", (archived_at is not null)::int as "Archived"
    from project where organization_id = ${id} order by lower(title), id`.execute(db)
  const members = await sql<{ idUser: number; LoginName: string; FullName: string; Admin: Flag; Manager: Flag }>`
    select u.id as "idUser", u.login as "LoginName", u.full_name as "FullName", m.admin::int as "Admin", m.manager::int as "Manager"
    from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${id} order by lower(u.login)`.execute(db)
  return {
    idOrganization: id,
    Title: organization.title,
    Projects: projects.rows,
    Members: members.rows,
    Editable: scope.admin ? (1 as const) : (0 as const),
  }
})
