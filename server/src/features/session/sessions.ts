import type { SignedIn } from '@tessera/contract/people/session'
import { organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../db/db.ts'
import { acrossOrganizations, marker } from '../../db/guard/across-organizations.ts'
import { bool, int4, json, text, uuid } from '../../db/shape.ts'
import { refreshCsrf } from '../../http/csrf.ts'
import type { Context } from '../../http/implement.ts'
import { credentialsOf, digest, newToken, setSessionCookie } from '../../http/session-cookie.ts'
import { permissionList, type SessionLimits } from '../../lib/authorize.ts'
import { everyPermission } from '../../lib/proofs.ts'

// A super user and an organization admin may see every project of the organization; others those where they hold View tickets.
const signedInRow = {
  login: text,
  full_name: text,
  given_name: text,
  super: bool,
  admin: bool,
  orgname: text,
  projects: json<{ id: number; shortcode: string; Title: string; permissions: number }[]>(),
}
const signedIn = statement(
  signedInRow,
  `
  select u.login, u.full_name, u.given_name, u.super, coalesce(m.admin, false) as admin, o.title as orgname,
    (select coalesce(json_agg(json_build_object('id', p.id, 'shortcode', p.short_code, 'Title', p.title, 'permissions',
        case when u.super or coalesce(m.admin, false) then ${everyPermission} else pm.permissions end) order by lower(unaccent(p.title)), p.id), '[]'::json)
      from project p
      left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = u.id
      where p.organization_id = $1 and p.archived_at is null and (u.super or coalesce(m.admin, false) or pm.permissions & 1 = 1)) as projects
  from user_account u
  join organization o on o.id = $1
  left join organization_member m on m.organization_id = $1 and m.user_id = u.id
  where u.id = $2`,
)

const managed = statement(
  { count: int4 },
  `${marker('own account')} select count(*)::int as count from organization_member where user_id = $1 and manager`,
)

/** The page's data about the person and the organization. */
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

/** Maximum number of live sessions per person; one more ends the oldest. */
const sessionsPerUser = 20

/** A session is live while idle and age are below the limits, by the database's clock. */
export function isLive(limits: SessionLimits) {
  return sql`s.ended_at is null and s.last_seen_at > now() - make_interval(mins => ${limits.idleMinutes})
    and s.created_at > now() - make_interval(hours => ${limits.maxHours})`
}

/** Opens a session with a new token, ends the browser's previous one, and sets the cookies. The account's row must be locked. */
export async function openSession(
  db: Db,
  { system, request, reply }: Pick<Context<never>, 'system' | 'request' | 'reply'>,
  organizationId: number,
  userId: number,
) {
  const previous = credentialsOf(system.config, request)
  if (previous) {
    await sql`
      update session set ended_at = now(), end_reason = 'replaced'
      where organization_id = ${previous.organizationId} and token_hash = ${previous.tokenHash} and ended_at is null`.execute(db)
  }
  const token = newToken()
  await sql`
    insert into session (organization_id, token_hash, user_id, address, device)
    values (${organizationId}, ${digest(token)}, ${userId}, ${request.ip}, ${request.headers['user-agent']?.slice(0, 300) ?? ''})`.execute(
    db,
  )
  await sql`${acrossOrganizations('own account')}
    update session set ended_at = now(), end_reason = 'replaced'
    where user_id = ${userId} and ended_at is null and (organization_id, token_hash) in (
      select s.organization_id, s.token_hash from session s where s.user_id = ${userId} and ${isLive(system.config.session)}
      order by s.token_hash <> ${digest(token)}, s.created_at desc offset ${sessionsPerUser})`.execute(db)
  setSessionCookie(system.config, reply, organizationId, token)
  refreshCsrf(system, request, reply, `${organizationId}.${token}`)
}

/** Ends every session of a person, wherever they are signed in, but the one to keep. */
export async function endSessionsOf(db: Db, userId: number, reason: 'password' | 'revoked', keep?: string) {
  const rows = await queryRows(db, { id: uuid })`${acrossOrganizations('own account')}
    update session set ended_at = now(), end_reason = ${reason}
    where user_id = ${userId} and ended_at is null and (${keep ?? null}::uuid is null or id <> ${keep ?? null}::uuid) returning id`
  return rows.length
}
