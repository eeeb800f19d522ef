import { organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool } from '../../../db/shape.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Standing } from '../../users/may-change.ts'

/** Until the transaction ends, nobody deactivates or renames the account: whoever does takes the same lock, and then looks for other organizations. */
export async function lockAccount(db: Db, idUser: number) {
  const [account] = await queryRows(db, { super: bool, disabled: bool })`
    select super, disabled from user_account where id = ${idUser} for no key update`
  return account
}

/** The member's rank in the organization; undefined for a non-member. */
export async function standingOf(db: Db, organizationId: number, idUser: number): Promise<Standing | undefined> {
  const rows = await queryRows(db, { super: bool, admin: bool, manager: bool })`
    select u.super, m.admin, m.manager from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${idUser}`
  return rows[0]
}

/** The parts of a leaving member that history records; permissions only if they had any. */
export function standingParts({ admin, manager }: Pick<Standing, 'admin' | 'manager'>): Record<string, string> {
  return { Member: '1', ...(admin && { Admin: '1' }), ...(manager && { Manager: '1' }) }
}

/** Throws 422 when nobody but this person administers the organization and can sign in. The caller holds the rights lock. */
export async function requireAnotherAdmin(db: Db, organizationId: number, idUser: number) {
  const { rows } = await sql`
    select 1 from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.admin and m.user_id <> ${idUser} and not u.disabled limit 1`.execute(db)
  if (rows.length === 0) throw new Failure('rule', `An organization keeps at least one ${organizationAdmin}: appoint another one first`)
}
