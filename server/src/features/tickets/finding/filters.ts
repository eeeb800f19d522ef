import type { Request } from '@tessera/contract/call'
import type { Parsed } from '@tessera/contract/query-language/parse'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import type { Clock } from '../../search/dates/periods.ts'
import type { Reach } from '../../search/query/compile-query.ts'
import type { SortField } from '../columns/column-keys.ts'
import type { ColumnPosition } from '../columns/column-order.ts'
import { type BaseColumn, isBaseColumn } from '../columns/list-columns.ts'
import type { GroupField } from '../grouping/list-groups.ts'
import { type Group, type Names, type Order, templateRanks } from '../pages/group-order.ts'
import { idPattern } from '../ticket-keys.ts'

export type Input = Request<typeof queryTickets>
/** What a list is filtered by, besides a query. */
export type Filters = Pick<Input, 'Id' | 'Title' | 'Types' | 'Phases' | 'States' | 'Subordinates' | 'Labels' | 'Mine'>

/** The requested page, and what its filters and its order refer to. */
export interface Query {
  shortCode: string
  /** Whether many titles contain the filter's text: `isFrequentTitle`. */
  isFrequentTitle: boolean
  names: Names
  groups: Group[]
  /** The fields that columns and order refer to, by key. */
  fields: ReadonlyMap<string, SortField & GroupField>
  order: Order
  limit: number
  asked: AskedQuery | undefined
}
/** A parsed query of the query language. */
export interface AskedQuery {
  parsed: Parsed
  reach: Reach
  clock: Clock
}

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

/** The states that both filters allow; undefined without such a filter. */
export function statesOf({ States, Phases }: Filters, names: Names) {
  if (!States?.length && !Phases?.length) return undefined
  return [...names.states]
    .filter(([id, { phase }]) => (!States?.length || States.includes(id)) && (!Phases?.length || Phases.includes(phase)))
    .map(([id]) => id)
}

/** The place of each template or state in the order of a column. */
export function ranksOf(column: BaseColumn, { templates, states }: Names) {
  if (column === 'Type') return templateRanks(templates)
  return new Map([...states].map(([id, { phase, position }]) => [id, column === 'Phase' ? phase : position]))
}

/**
 * The templates or states whose tickets can be on the page of a list that is ordered by them: from the group in which the page begins to the one
 * that fills it. Undefined if more groups are needed than there are, or the order begins with another column.
 */
export function neededGroups(
  first: NonNullable<Input['Sort']>[number] | undefined,
  { names, limit }: { names: Names; limit: number },
  counted: readonly Group[],
  after: ColumnPosition | undefined,
) {
  const from = after?.keys[0]
  if (!first || !isBaseColumn(first.Column) || from === null) return undefined
  const isByType = first.Column === 'Type'
  const ranks = ranksOf(first.Column, names)
  const sign = first.Direction === 'asc' ? 1 : -1
  const placeOf = (id: number) => sign * (ranks.get(id) ?? 0)
  const begin = from === undefined ? Number.NEGATIVE_INFINITY : sign * Number(from)
  // How much is left of the group in which the page begins is not known, so it is not counted.
  const following = counted
    .map(({ templateId, stateId, tickets }) => ({ place: placeOf(isByType ? templateId : stateId), tickets }))
    .filter(({ place }) => place > begin)
    .sort((left, right) => left.place - right.place)
  let tickets = 0
  for (const group of following) {
    tickets += group.tickets
    if (tickets > limit) {
      const ids = [...ranks.keys()].filter(id => placeOf(id) >= begin && placeOf(id) <= group.place)
      return { column: isByType ? 'template_id' : 'state_id', ids }
    }
  }
  return undefined
}
