import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import { allOf, type SortTerm, type Tree, termsOf } from '@tessera/contract/query-language/tree'

/** One term of a query, as text: `state:open`, `-word`, `a or b`, `sort:-updated`. */
export interface Chip {
  text: string
  part: { where: Tree } | { sort: SortTerm }
}

/** The top-level terms of a query. Throws a `QueryError` for a text that is not a query. */
export function chipsOf(text: string): Chip[] {
  const { where, sort } = parse(text)
  return [
    ...termsOf(where).map(tree => ({ text: print({ where: tree, sort: [] }), part: { where: tree } })),
    ...sort.map(term => ({ text: print({ where: null, sort: [term] }), part: { sort: term } })),
  ]
}

/** The text of a query that consists of these terms. */
export function textOfChips(chips: readonly Chip[]): string {
  const trees = chips.flatMap(({ part }) => ('where' in part ? [part.where] : []))
  const sort = chips.flatMap(({ part }) => ('sort' in part ? [part.sort] : []))
  return print({ where: allOf(trees), sort })
}

/** The query with the term at `index` replaced, or with terms appended. Throws a `QueryError` for a text that is not a query. */
export function withChip(chips: readonly Chip[], index: number, text: string): string {
  return textOfChips(chips.toSpliced(index, 1, ...chipsOf(text)))
}
export function withoutChip(chips: readonly Chip[], index: number): string {
  return textOfChips(chips.toSpliced(index, 1))
}
