/** A parsed query. `parse` makes it from text, `print` turns it back into text. */
export interface Query {
  /** Null finds everything. */
  where: Tree | null
  sort: readonly SortTerm[]
}

export type Tree =
  | { kind: 'and'; of: readonly Tree[] }
  | { kind: 'or'; of: readonly Tree[] }
  | { kind: 'not'; of: Tree }
  /** Words of the ticket's text; a phrase was in quotation marks, and its words must be adjacent. */
  | { kind: 'word'; text: string }
  | { kind: 'phrase'; text: string }
  | Match

/** `name:value,value`: one of the values is enough. */
export interface Match {
  kind: 'match'
  name: string
  values: readonly Value[]
}

export type Value =
  | { kind: 'text'; text: string }
  /** Was in quotation marks: never `me`, `none`, `empty`, a range or a comparison. */
  | { kind: 'quoted'; text: string }
  | { kind: 'compare'; operator: Comparison; text: string }
  /** From and to inclusive; '' where it is open. */
  | { kind: 'range'; from: string; to: string }

type Comparison = '<' | '>' | '<=' | '>='
export const comparisons: readonly Comparison[] = ['<=', '>=', '<', '>']

export interface SortTerm {
  name: string
  descending: boolean
}

/** The text between the asterisks of `title:*part*` or `id:*part*`, which matches anywhere, also within a word. */
export function partOf(text: string): string | undefined {
  return /^\*(.+)\*$/s.exec(text)?.[1]
}

/** A piece of the query's text, in UTF-16 code units. */
export interface Span {
  position: number
  length: number
}

/** Why a text is not a query, and at which position. */
export class QueryError extends Error {
  override name = 'QueryError'
  readonly span: Span
  /** The known names that are most like the unknown one. */
  readonly nearest: readonly string[]
  constructor(message: string, span: Span, nearest: readonly string[] = []) {
    super(message)
    this.span = span
    this.nearest = nearest
  }
}

/** The top-level terms of a query: all of them must hold. */
export function termsOf(where: Tree | null): readonly Tree[] {
  if (where === null) return []
  return where.kind === 'and' ? where.of : [where]
}

/** The tree in which all of these hold; null for none. */
export function allOf(terms: readonly Tree[]): Tree | null {
  return terms.length > 1 ? { kind: 'and', of: terms } : (terms[0] ?? null)
}

/** Every match in the tree. */
export function matchesOf(tree: Tree | null): Match[] {
  if (tree === null) return []
  if (tree.kind === 'match') return [tree]
  if (tree.kind === 'not') return matchesOf(tree.of)
  return tree.kind === 'and' || tree.kind === 'or' ? tree.of.flatMap(matchesOf) : []
}

/** The words and phrases that a ticket must or may contain, without excluded ones. */
export function wordsOf(tree: Tree | null): string[] {
  if (tree === null || tree.kind === 'not') return []
  if (tree.kind === 'word' || tree.kind === 'phrase') return [tree.text]
  if (tree.kind === 'and' || tree.kind === 'or') return tree.of.flatMap(wordsOf)
  if (tree.name !== 'title' && tree.name !== 'text' && tree.name !== 'comment') return []
  return tree.values.flatMap(value => (value.kind === 'text' || value.kind === 'quoted' ? [value.text] : []))
}
