import { parse } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { Input } from './filters.ts'

const phasesOf: Readonly<Record<string, Input['Phases']>> = { open: [1, 2], closed: [3] }

/**
 * A list or board whose query is `is:open` or `is:closed`, which find what the filter of phases finds, with that filter instead: its tickets are counted
 * already, where a query reads them all. Any other input is returned as it is.
 */
export function queryAsPhases<I extends Pick<Input, 'Query' | 'Phases'>>(input: I): I {
  const phases = input.Phases?.length ? undefined : phasesOf[stateAskedFor(input.Query ?? '')]
  return phases ? { ...input, Query: undefined, Phases: phases } : input
}

/** The value of `is:` in a query that says nothing else; '' for other queries, also for those with an error, which is reported later. */
function stateAskedFor(query: string) {
  try {
    const { where, sort } = parse(query)
    if (where?.kind !== 'match' || where.name !== 'is' || where.values.length > 1 || sort.length > 0) return ''
    const [value] = where.values
    return value?.kind === 'text' ? value.text.toLowerCase() : ''
  } catch (error) {
    if (error instanceof QueryError) return ''
    throw error
  }
}
