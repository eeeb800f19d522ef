import type { Parsed } from '@tessera/contract/query-language/parse'
import type { Bind } from '../../../lib/bind.ts'
import { trashCondition } from '../conditions/trash-condition.ts'
import type { Reach } from './compile-query.ts'

/**
 * SQL about ticket `t`: it is in a project that the caller may still see, and in the trash only if the query asks for that. $1 to $4 are the organization, the
 * projects, the caller, and whether they see every project.
 */
export function isReached(asked: { parsed: Parsed; reach: Reach }, bind: Bind) {
  return `t.organization_id = $1 and t.project_id = any($2::bigint[]) and ${trashCondition(asked, bind)}
    and ($4::boolean or t.project_id in (select pm.project_id from project_member pm
      where pm.organization_id = $1 and pm.user_id = $3 and pm.permissions & 1 = 1))`
}
