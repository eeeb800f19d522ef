import type { Request } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import { idPattern, type Names } from '../rules.ts'

export type Input = Request<typeof queryTickets>
/** What a list is filtered by, besides a query. */
export type Filters = Pick<Input, 'Id' | 'Title' | 'Types' | 'Phases' | 'States' | 'Subordinates' | 'Labels' | 'Mine'>

export function isFiltered({ Id, Title, Types, Phases, States, Subordinates, Labels, Mine, Query }: Input) {
  return Boolean(
    Query?.trim() || Id || Title || Types?.length || Phases?.length || States?.length || Subordinates?.length || Labels?.length || Mine,
  )
}

/** The pattern for the ID filter: undefined where every ticket matches. */
export function idLikeOf(shortCode: string, { Id }: Filters) {
  const pattern = Id ? idPattern(shortCode, Id) : 'every'
  // Then only the key that a ticket had in another tracker can match.
  if (pattern === 'none') return ''
  return pattern === 'every' ? undefined : pattern.like
}

export function templatesOf({ Types }: Filters) {
  return Types?.length ? Types : undefined
}

/** The states that both filters allow; undefined without such a filter. */
export function statesOf({ States, Phases }: Filters, names: Names) {
  if (!States?.length && !Phases?.length) return undefined
  return [...names.states]
    .filter(([id, { phase }]) => (!States?.length || States.includes(id)) && (!Phases?.length || Phases.includes(phase)))
    .map(([id]) => id)
}
