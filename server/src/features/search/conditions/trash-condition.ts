import { permission } from '@tessera/contract/permissions'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { matchesOf } from '@tessera/contract/query-language/tree'
import { holds } from '../../../lib/authorize.ts'
import type { Bind } from '../../../lib/bind.ts'
import type { Reach } from '../query/compile-query.ts'

/** SQL about ticket `t`: leaves out the trash, unless the query asks for it and the caller may see it. */
export function trashCondition(asked: { parsed: Parsed; reach: Reach } | undefined, bind: Bind) {
  if (!asked || !asksForTrash(asked.parsed)) return 't.trashed_at is null'
  const opened = asked.reach.projects.filter(project => holds(project, permission.deleteTickets)).map(({ id }) => id)
  return `(t.trashed_at is null or t.project_id = any(${bind(opened)}::bigint[]))`
}

export function asksForTrash({ where }: Parsed) {
  return matchesOf(where).some(
    ({ name, values }) => name === 'is' && values.some(value => value.kind !== 'range' && value.text.toLowerCase() === 'trashed'),
  )
}
