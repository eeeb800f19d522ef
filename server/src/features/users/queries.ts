import { contributorPermissions, organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { bool, int8, type RowOf, text, textArray } from '../../db/shape.ts'
import { permissionMask, type SessionScope } from '../../lib/authorize.ts'
import type { Change } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { memberChange, removeMember } from '../project-config/members/membership.ts'

const person = {
  id: int8,
  login: text,
  full_name: text,
  given_name: text,
  email: text,
  /** The e-mail was set by somebody else and its owner has not confirmed it. */
  unconfirmed: bool,
  disabled: bool,
  has_password: bool,
  super: bool,
  manager: bool,
  admin: bool,
}
export type Person = RowOf<typeof person>

/** A member of the session's organization; 404 for anybody else. Use `lock` before changing the account. */
export async function findPerson(db: Db, organizationId: number, idUser: number, lock = false): Promise<Person> {
  const rows = await queryRows(db, person)`
    select u.id, u.login, u.full_name, u.given_name, u.email, u.email_changed_at is not null as unconfirmed, u.disabled,
      u.password_hash is not null as has_password, u.super, m.admin, m.manager
    from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${idUser} ${lock ? sql`for no key update of u` : sql``}`
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Throws 422 when an organization would be left without an administrator who can sign in, or the installation without a super user. */
export async function requireOthersWithRank(db: Db, { id, super: isSuper }: Person) {
  // Locks the rights of every organization that they administer, so that no other administrator can leave meanwhile.
  const administered = await queryRows(db, { id: int8 })`${acrossOrganizations('identity')}
    select organization_id as id from organization_member where user_id = ${id} and admin order by organization_id`
  // Not in the statement above: on a Citus cluster that runs on other servers, whose advisory locks have no effect here.
  const ids = administered.map(organization => organization.id)
  await sql`select pg_advisory_xact_lock(hashtextextended('rights', id)) from unnest(${ids}::bigint[]) as id`.execute(db)
  const rows = await queryRows(db, { title: text })`${acrossOrganizations('identity')}
    select o.title from organization_member m join organization o on o.id = m.organization_id
    where m.user_id = ${id} and m.admin and not exists (
      select 1 from organization_member other join user_account u on u.id = other.user_id
      where other.organization_id = m.organization_id and other.admin and other.user_id <> ${id} and not u.disabled)
    order by o.title limit 1`
  if (rows[0])
    throw new Failure('rule', `${rows[0].title} keeps at least one ${organizationAdmin} who can sign in: appoint another one first`)
  if (!isSuper) return
  const others = await sql`select 1 from user_account where super and not disabled and id <> ${id} limit 1 for no key update`.execute(db)
  if (others.rows.length === 0) throw new Failure('rule', 'The installation keeps at least one super user who can sign in')
}

export async function isLoginTaken(db: Db, login: string, exceptBy: number) {
  const { rows } = await sql`select 1 from user_account where lower(login) = lower(${login}) and id <> ${exceptBy}`.execute(db)
  return rows.length > 0
}

/** Links that were mailed to a person's former address lead to no organization any more. */
export async function withdrawInvitations(db: Db, idUser: number) {
  await sql`${acrossOrganizations('identity')} delete from invitation where user_id = ${idUser}`.execute(db)
}

/** Whether the person belongs to another organization as well. */
export async function belongsElsewhere(db: Db, organizationId: number, idUser: number) {
  const { rows } = await sql`${acrossOrganizations('identity')}
    select 1 from organization_member where user_id = ${idUser} and organization_id <> ${organizationId} limit 1`.execute(db)
  return rows.length > 0
}

/** The projects of the organization that the person is a member of. Archived ones are left out: their members stay as they are. */
export async function membershipOf(db: Db, organizationId: number, idUser: number) {
  const rows = await queryRows(db, { id: int8 })`
    select p.id from project_member pm join project p on p.organization_id = pm.organization_id and p.id = pm.project_id
    where pm.organization_id = ${organizationId} and pm.user_id = ${idUser} and p.archived_at is null
    order by lower(unaccent(p.title)), p.id`
  return rows.map(({ id }) => id)
}

/** Throws 404 unless all are projects of the session's organization, archived or not. */
export async function requireProjects(db: Db, { organizationId }: SessionScope, projects: readonly number[]) {
  if (projects.length === 0) return
  const rows = await queryRows(db, { id: int8 })`
    select id from project where organization_id = ${organizationId} and id = any(${[...projects]})`
  const known = new Set(rows.map(({ id }) => id))
  if (projects.some(id => !known.has(id))) throw notFound()
}

/** Makes the person a member of exactly these projects of the session's organization, new ones as a contributor. Returns what changed. */
export async function setMembership(
  db: Db,
  { organizationId }: SessionScope,
  idUser: number,
  projects: readonly number[],
): Promise<Change[]> {
  const found = await queryRows(db, { id: int8, title: text, archived: bool, member: bool })`
    select p.id, p.title, p.archived_at is not null as archived, pm.id is not null as member
    from project p
    left join project_member pm on pm.organization_id = p.organization_id and pm.project_id = p.id and pm.user_id = ${idUser}
    where p.organization_id = ${organizationId} and (p.id = any(${[...projects]}) or pm.id is not null)
    order by p.id for share of p`
  const byId = new Map(found.map(row => [row.id, row]))
  if (projects.some(id => !byId.has(id))) throw notFound()
  const wanted = new Set(projects)
  const added = found.filter(({ id, member }) => wanted.has(id) && !member)
  const removed = found.filter(({ id, member, archived }) => !wanted.has(id) && member && !archived)
  const closed = added.find(({ archived }) => archived)
  if (closed) throw new Failure('rule', `The project '${closed.title}' is archived and takes no changes`)

  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${organizationId}, project_id, ${idUser}, ${permissionMask(contributorPermissions)}
    from unnest(${added.map(({ id }) => id)}::bigint[]) as project_id
    on conflict (organization_id, project_id, user_id) do nothing`.execute(db)
  return [
    ...added.map(({ id }) => memberChange(id, idUser)),
    ...(await removeMember(
      db,
      { organizationId },
      idUser,
      removed.map(({ id }) => id),
    )),
  ]
}

/** The names a password must not be made of. */
export async function passwordContext(db: Db, idUser: number): Promise<string[]> {
  const rows = await queryRows(db, { words: textArray })`${acrossOrganizations('own account')}
    select array[u.login, u.email, u.full_name, u.given_name] || array(
      select o.title from organization_member m join organization o on o.id = m.organization_id where m.user_id = ${idUser}) as words
    from user_account u where u.id = ${idUser}`
  return rows[0]?.words ?? []
}
