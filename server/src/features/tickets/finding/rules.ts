import type { Request } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import { type BaseColumn, type ColumnPosition, isBaseColumn } from '../columns/rules.ts'
import { type Group, idPattern, type Names, templateRanks } from '../rules.ts'

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

/** The place of each template or state in the order of a column. */
export function ranksOf(column: BaseColumn, { templates, states }: Names) {
  if (column === 'Type') return templateRanks(templates)
  return new Map([...states].map(([id, { phase, position }]) => [id, column === 'Phase' ? phase : position]))
}

/** The templates or states whose tickets can be on the page, by how many each has; undefined if those are all, or the order begins with another column. */
export function neededGroups(
  first: NonNullable<Input['Sort']>[number] | undefined,
  { names, limit }: { names: Names; limit: number },
  counted: readonly Group[],
  after: ColumnPosition | undefined,
) {
  const from = after?.keys[0]
  if (!first || !isBaseColumn(first.Column) || from === null) return undefined
  const column = first.Column === 'Type' ? 'template_id' : 'state_id'
  const ranks = ranksOf(first.Column, names)
  const sign = first.Direction === 'asc' ? 1 : -1
  const begin = from === undefined ? -Infinity : sign * Number(from)
  const byPlace = Map.groupBy(counted, group => sign * (ranks.get(column === 'state_id' ? group.stateId : group.templateId) ?? 0))
  let following = 0
  for (const [place, groups] of [...byPlace].sort(([left], [right]) => left - right)) {
    // Also those that had no tickets when they were counted: one may have entered them since.
    const isNeeded = (rank: number) => sign * rank >= begin && sign * rank < place
    if (following > limit) return { column, ids: [...ranks].filter(([, rank]) => isNeeded(rank)).map(([id]) => id) }
    // How much is left of the group in which the page begins is not known.
    if (place > begin) following += groups.reduce((sum, { tickets }) => sum + tickets, 0)
  }
  return undefined
}
