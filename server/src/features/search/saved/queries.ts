import { limits } from '@tessera/contract/limits'
import { organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int8, type RowOf, text } from '../../../db/shape.ts'
import { requireRank, type SessionScope } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'

const searchShape = { id: int8, ownerId: int8, name: text, query: text, shared: bool }
export type SavedSearch = RowOf<typeof searchShape>

/** Changes of an organization's saved searches run one at a time. Returns the scope with the caller's rank as of now. */
export async function lockSearches(db: Db, scope: SessionScope): Promise<SessionScope> {
  await sql`select pg_advisory_xact_lock(hashtextextended('searches', ${scope.organizationId}::bigint))`.execute(db)
  const [now] = await queryRows(db, { super: bool, admin: bool, manager: bool })`
    select u.super, u.super or m.admin as admin, coalesce(m.manager, false) as manager
    from user_account u left join organization_member m on m.organization_id = ${scope.organizationId} and m.user_id = u.id
    where u.id = ${scope.userId} and not u.disabled and (u.super or m.user_id is not null)`
  if (!now) throw notFound()
  return { ...scope, ...now }
}

/**
 * The searches that the caller may open, or could before they were deleted less than a day ago: their own by name, then those that others share.
 */
export async function visibleSearches(db: Db, { organizationId, userId }: SessionScope, deleted = false): Promise<SavedSearch[]> {
  return queryRows(db, searchShape)`
    select id, owner_id as "ownerId", name, query, shared from saved_search
    where organization_id = ${organizationId} and (deleted_at is not null) = ${deleted}::boolean
      and (deleted_at is null or deleted_at >= now() - interval '1 day') and (shared or owner_id = ${userId})
    order by owner_id = ${userId} desc, lower(unaccent(name)), id`
}

/** Those of the searches with these ids, which the caller may change; 404 unless the caller may open them all. */
export function changeableSearches(scope: SessionScope, searches: readonly SavedSearch[], ids: readonly number[]): SavedSearch[] {
  const chosen = ids.map(id => {
    const search = searches.find(each => each.id === id)
    if (!search) throw notFound()
    return search
  })
  for (const { ownerId } of chosen) if (ownerId !== scope.userId) requireRank('admin', scope)
  return chosen
}

/** 422 `duplicate` when a search that the caller may open has the name: among the shared ones, or among their private ones. */
export function requireFreeName(searches: readonly SavedSearch[], { name, shared }: Pick<SavedSearch, 'name' | 'shared'>, id?: number) {
  const isTaken = searches.some(search => search.id !== id && search.shared === shared && search.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new Failure('duplicate', `There is already a search named ${name}`)
}

/** 422 when one more private or shared search would be too many. */
export function requireFewerSearches(scope: SessionScope, present: readonly SavedSearch[], { shared }: Pick<SavedSearch, 'shared'>) {
  const [common, own] = [present.filter(search => search.shared), present.filter(search => search.ownerId === scope.userId)]
  if (!shared && own.filter(search => !search.shared).length >= limits.searches)
    throw new Failure('rule', `You can have at most ${limits.searches} private searches`)
  if (shared && common.length >= limits.sharedSearches)
    throw new Failure('rule', `An organization has at most ${limits.sharedSearches} shared searches`)
  if (shared && !scope.admin && own.filter(search => search.shared).length >= limits.sharedSearchesOfPerson)
    throw new Failure('rule', `Without ${organizationAdmin} you can share at most ${limits.sharedSearchesOfPerson} searches`)
}

/** History of a shared search; private searches have none. */
export function searchChange(id: number, before: Omit<SavedSearch, 'id'> | null, after: Omit<SavedSearch, 'id'> | null): Change[] {
  const text = (search: Omit<SavedSearch, 'id'> | null) => (search?.shared ? JSON.stringify({ ...search, id: undefined }) : null)
  if (text(before) === text(after)) return []
  return [{ subject: 'search', subjectId: id, field: 'Search', before: text(before), after: text(after) }]
}
