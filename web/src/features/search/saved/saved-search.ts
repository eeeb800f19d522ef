import type { Response } from '@tessera/contract/call'
import type { getSearchList } from '@tessera/contract/projects/saved-searches'
import { parse } from '@tessera/contract/query-language/parse'
import { print, valueText } from '@tessera/contract/query-language/print'
import { allOf, termsOf } from '@tessera/contract/query-language/tree'

export type SavedSearch = Response<typeof getSearchList>[number]

/** The query that finds in all projects what this one finds in the project with the code. */
export function queryInProject(query: string, code: string) {
  const { where, sort } = parse(query)
  const project = parse(`project:${valueText(code)}`).where
  return print({ where: allOf([...termsOf(project), ...termsOf(where)]), sort })
}
