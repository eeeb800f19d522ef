import * as contract from '@tessera/contract/people/users'
import { run, statement } from '../../../db/db.ts'
import { flag, int4, json } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'

const pageSize = 100
interface Membership {
  idProject: number
  Title: string
  ShortCode: string
  Archived: 0 | 1
  mask: number
  Open: number
}

const place = 'lower(unaccent(p.title)), p.id'
/** The person, with a page of their projects and the first one of the next page. */
const access = statement(
  { Active: flag, Super: flag, Admin: flag, Manager: flag, Total: int4, projects: json<Membership[]>() },
  `
  select (not u.disabled)::int as "Active", u.super::int as "Super", m.admin::int as "Admin", m.manager::int as "Manager",
    (select count(*)::int from project_member pm where pm.organization_id = $1 and pm.user_id = $2) as "Total",
    (select coalesce(json_agg(listed), '[]') from (
      select page.*, (
        select count(distinct t.id) from assignment a join ticket t on t.organization_id = $1 and t.id = a.ticket_id
        where a.organization_id = $1 and a.user_id = $2 and a.project_id = page."idProject" and t.trashed_at is null
          and (select s.phase from state s where s.organization_id = $1 and s.id = t.state_id) < 3) as "Open"
      from (
        select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode", (p.archived_at is not null)::int as "Archived",
          pm.permissions as mask
        from project_member pm join project p on p.organization_id = $1 and p.id = pm.project_id
        where pm.organization_id = $1 and pm.user_id = $2
          and ($3::bigint is null or (${place}) > (select ${place} from project p where p.organization_id = $1 and p.id = $3))
        order by ${place} limit ${pageSize + 1}
      ) page
    ) listed) as projects
  from organization_member m join user_account u on u.id = m.user_id
  where m.organization_id = $1 and m.user_id = $2`,
)

export const getUserAccess = implement(contract.getUserAccess, async ({ db, scope, input }) => {
  const [person] = await run(db, access, [scope.organizationId, input.idUser, input.Cursor ?? null])
  if (!person) throw notFound()
  const { projects, ...rank } = person
  const page = projects.slice(0, pageSize)
  return {
    ...rank,
    Projects: page.map(({ mask, ...project }) => ({ ...project, Permissions: permissionList(mask) })),
    NextCursor: projects.length > pageSize ? (page.at(-1)?.idProject ?? null) : null,
  }
})
