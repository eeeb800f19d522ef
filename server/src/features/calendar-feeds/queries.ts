import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { type ProjectScope, requireStillAllowed } from '../../lib/authorize.ts'

/** Changes of a project's feeds run one at a time. Returns the scope with the caller's rights as of now. */
export async function lockFeeds(db: Db, scope: ProjectScope): Promise<ProjectScope> {
  await sql`select pg_advisory_xact_lock(hashtextextended('calendar feeds', ${scope.projectId}::bigint))`.execute(db)
  return requireStillAllowed(db, scope)
}
