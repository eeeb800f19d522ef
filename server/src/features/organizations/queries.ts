import type { Db } from '../../db/db.ts'
import { sqlState } from '../../db/sql-state.ts'
import { type OrganizationScope, requireRank } from '../../lib/authorize.ts'
import { Failure, notFound } from '../../lib/failure.ts'

/** Only the organization's administrators and super users change it; a manager may read. */
export function requireOrganizationAdmin(scope: OrganizationScope) {
  requireRank('admin', scope)
}

export async function findOrganization(db: Db, id: number) {
  const organization = await db.selectFrom('organization').select('title').where('id', '=', id).executeTakeFirst()
  if (!organization) throw notFound()
  return organization
}

/** Turns a unique violation into a readable refusal. */
export async function withUniqueTitle<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23505') throw new Failure('duplicate', 'There is already an organization with this title')
    throw error
  }
}
