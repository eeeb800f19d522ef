import { organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, sqlState } from '../../db/db.ts'
import type { OrganizationScope } from '../../lib/authorize.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import type { Standing } from '../users/rules.ts'

/** Changing an organization takes its administrator or a super user; a manager may look. */
export function requireOrganizationAdmin(scope: OrganizationScope) {
  if (!scope.admin)
    throw new Failure('not_permitted', `Needs the organization permission ${organizationAdmin}`, { needs: organizationAdmin })
}

export async function findOrganization(db: Db, id: number) {
  const organization = await db.selectFrom('organization').select('title').where('id', '=', id).executeTakeFirst()
  if (!organization) throw notFound()
  return organization
}

/** Says in words that a title is taken. */
export async function insertNamed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23505') throw new Failure('duplicate', 'There is an organization of this title already')
    throw error
  }
}

/** What the member is in the organization; undefined for somebody who is none. */
export async function standingOf(db: Db, organizationId: number, idUser: number): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select u.super, m.admin, m.manager from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${idUser}`.execute(db)
  return rows[0]
}

/** What history keeps of a member who leaves; the permissions only where they were given. */
export function standingParts({ admin, manager }: Pick<Standing, 'admin' | 'manager'>): Record<string, string> {
  return { Member: '1', ...(admin && { Admin: '1' }), ...(manager && { Manager: '1' }) }
}

/** Throws 422 when nobody but this person administers the organization. Others must not change rights meanwhile. */
export async function requireAnotherAdmin(db: Db, organizationId: number, idUser: number) {
  const { rows } = await sql`
    select 1 from organization_member where organization_id = ${organizationId} and admin and user_id <> ${idUser} limit 1`.execute(db)
  if (rows.length === 0) throw new Failure('rule', `An organization keeps at least one ${organizationAdmin}: appoint another one first`)
}
