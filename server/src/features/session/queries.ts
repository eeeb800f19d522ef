import { organizationAdmin } from '@tessera/contract/permissions'
import type { SignedIn } from '@tessera/contract/session'
import { marker } from '../../db/across-organizations.ts'
import { type Db, run, statement } from '../../db/db.ts'
import { permissionList } from '../../lib/authorize.ts'

interface SignedInRow {
  login: string
  full_name: string
  given_name: string
  super: boolean
  admin: boolean
  orgname: string
  projects: { id: number; shortcode: string; Title: string; permissions: number }[]
}

// A super user and an organization admin may see every project of the organization; others those where they hold View tickets.
const signedIn = statement<SignedInRow>(`
  select u.login, u.full_name, u.given_name, u.super, coalesce(m.admin, false) as admin, o.title as orgname,
    (select coalesce(json_agg(json_build_object('id', p.id, 'shortcode', p.short_code, 'Title', p.title, 'permissions',
        case when u.super or coalesce(m.admin, false) then 8191 else pm.permissions end) order by lower(p.title), p.id), '[]'::json)
      from project p
      left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = u.id
      where p.organization_id = $1 and p.archived_at is null and (u.super or coalesce(m.admin, false) or pm.permissions & 1 = 1)) as projects
  from user_account u
  join organization o on o.id = $1
  left join organization_member m on m.organization_id = $1 and m.user_id = u.id
  where u.id = $2`)

const managed = statement<{ count: number }>(
  `${marker('own account')} select count(*)::int as count from organization_member where user_id = $1 and manager`,
)

/** What the page is told about the person and the organization signed in to. */
export async function signedInAnswer(db: Db, organizationId: number, userId: number): Promise<SignedIn> {
  const [row] = await run(db, signedIn, [organizationId, userId])
  const [{ count } = { count: 0 }] = await run(db, managed, [userId])
  if (!row) throw new Error(`user ${userId} or organization ${organizationId} is gone`)
  return {
    auth: 1,
    idUser: userId,
    orgname: row.orgname,
    orgid: organizationId,
    super: row.super ? 1 : 0,
    managedorgs: count,
    orgperms: row.admin || row.super ? [organizationAdmin] : [],
    projperms: row.projects.map(({ id, permissions }) => ({ idProject: id, Permissions: permissionList(permissions) })),
    projects: row.projects.map(({ id, shortcode, Title }) => ({ id, shortcode, Title })),
    DisplayName: row.given_name || row.full_name || row.login,
  }
}
