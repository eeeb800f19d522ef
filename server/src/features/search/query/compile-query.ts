import { isQueryName } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, QueryError, type Tree } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { isKey } from '../../tickets/ticket-keys.ts'
import { isNone } from '../conditions/comparisons.ts'
import { type FieldOfKey, fieldCondition } from '../conditions/field-condition.ts'
import { type ConditionName, type Ground, matchCondition } from '../conditions/match-condition.ts'
import { hadKey, type NamedProject, thoseNamed, ticketsNamed } from '../conditions/named-tickets.ts'
import type { Clock } from '../dates/periods.ts'
import { isOnlySymbols, isPunctuation, titlePart } from '../words/title-parts.ts'
import { hasOwnWords, hasWords, idsWith, isWords, term, WordQueries } from '../words/word-queries.ts'
import { splitParts } from './indexed-parts.ts'

/** The projects that a query reads, and the fields that it may name there. */
export interface Reach {
  /** The caller sees every project of the organization. */
  isAdmin: boolean
  projects: readonly ReachedProject[]
  /** The fields, by the key that the query names; under `due` those that say when a ticket is due. */
  fields: ReadonlyMap<string, readonly FieldOfKey[]>
  /** The fields that columns and orders of the request name by their keys. */
  columns: readonly FieldOfKey[]
  /** The place of each type in the order of their names; empty unless the order asks for it. */
  typeRanks: ReadonlyMap<number, number>
  /** Parts of titles that the query looks for and that are frequent in its only project: `isFrequentTitle`. */
  frequentTitles: readonly string[]
}
export interface ReachedProject extends NamedProject {
  /** Bit n-1 is permission type n. */
  permissions: number
}

/** How the statement refers to its parameters: $1 is the organization. */
export interface Place {
  projects: string
  user: string
  bind: Bind
  clock: Clock
}

export interface Compiled {
  /** SQL about ticket `t`. */
  condition: string
  /** The words that are searched for, as typed; a phrase is one. */
  words: string[]
  /** Those of the words that are the code of a project: they find its tickets too. */
  codes: string[]
  /** Only for a query that consists of words. */
  wordsOnly?: Words
  /** For other queries: their parts. */
  parts?: {
    /** SQL of the ids of tickets among which are all results, for each part that an index can find. A further condition can be appended. */
    ids: (() => string)[]
    /** SQL about ticket `t` for each part of words, also excluded ones, which reads only the words of this ticket. */
    isMet: (() => string)[]
    /** SQL of all other parts. */
    others(): string
  }
}

export interface Words {
  /** SQL of the ids that have them, in no order. */
  ids: string
  /** SQL of the tsquery of the words, without the projects. */
  query: string
}

type Not = Extract<Tree, { kind: 'not' }>

/** A query as SQL. `alternatives` are words of the project that a word may have meant. Mark '=' looks for words in titles alone. */
export function compile(
  parsed: Parsed,
  reach: Reach,
  place: Place,
  alternatives: ReadonlyMap<string, readonly string[]> = new Map(),
  wordMark: '' | '=' = '',
): Compiled {
  const { bind, projects } = place
  const ground: Ground = { ...place, isAdmin: reach.isAdmin, reached: reach.projects, frequent: reach.frequentTitles }
  const queries = new WordQueries({ parsed, projects: reach.projects, bind, alternatives, mark: wordMark })
  const { words, codes } = queries
  const isOfWords = (tree: Tree) => isWords(tree, reach.projects)
  /** What is excluded may be nowhere, even if the other words are looked for in titles alone. */
  const excluded = (tree: Not) => compile({ ...parsed, where: tree.of }, reach, place, alternatives)
  // The code of a project excludes all of its tickets.
  const isWithoutWords = (tree: Tree): tree is Not =>
    tree.kind === 'not' && isOfWords(tree.of) && queries.wholeProjects(tree.of).length === 0
  const signs = (text: string) => `(${hasWords(term(bind, text), projects)} or ${titlePart(text, ground)})`

  function condition(tree: Tree): string {
    if (isOfWords(tree)) return hasWords(queries.of(tree), projects, queries.wholeProjects(tree))
    switch (tree.kind) {
      case 'and':
      case 'or':
        return `(${joined(tree).join(` ${tree.kind} `)})`
      case 'not':
        return `(not coalesce(${excluded(tree).condition}, false))`
      case 'phrase':
        return signs(tree.text)
      case 'word':
        if (isOnlySymbols(tree.text)) return signs(tree.text)
        return `t.id in (${[
          thoseNamed(ticketsNamed(tree.text, reach.projects), bind),
          ...(isKey(tree.text) ? [hadKey(tree.text, bind)] : []),
          idsWith(queries.asTyped(tree), projects),
        ].join(' union all ')})`
      case 'match':
        return matchOf(tree)
    }
  }

  /** The conditions of the parts; those that are words become one index lookup. */
  function joined(tree: Extract<Tree, { kind: 'and' } | { kind: 'or' }>): string[] {
    const of = partsOf(tree)
    const ofWords = of.filter(isOfWords)
    const others = (tree.kind === 'and' ? excludedAtOnce(of) : of).filter(part => !isOfWords(part)).map(condition)
    return ofWords.length === 0 ? others : [condition({ kind: tree.kind, of: ofWords }), ...others]
  }

  function matchOf(match: Match): string {
    const { spanOf } = parsed
    const isDue = match.name === 'due'
    if (isQueryName(match.name) && !isDue) return matchCondition(match as Match & { name: ConditionName }, spanOf, ground)
    const fields = reach.fields.get(match.name) ?? []
    if (fields.length === 0) {
      // Nothing is due where no field says so.
      if (isDue) return String(match.values.some(isNone))
      throw new QueryError(`There is no field '${match.name}'`, spanOf(match))
    }
    return fieldCondition(match, fields, { ...place, spanOf })
  }

  const { where } = parsed
  if (where === null) return { condition: 'true', words, codes }
  if (!isOfWords(where)) {
    const split = splitParts(where.kind === 'and' ? partsOf(where) : [where], queries, ground)
    const rest = split.others.filter(part => !isWithoutWords(part))
    const parts = {
      ids: split.ids,
      isMet: [
        ...split.isMet,
        ...split.others.filter(isWithoutWords).map(part => () => `not ${hasOwnWords(excluded(part).wordsOnly?.query ?? '')}`),
      ],
      others: () => (rest.length === 0 ? 'true' : condition({ kind: 'and', of: rest })),
    }
    return { condition: condition(where), words, codes, parts }
  }
  const query = queries.of(where)
  const whole = queries.wholeProjects(where)
  return { condition: hasWords(query, projects, whole), words, codes, wordsOnly: { ids: idsWith(query, projects), query } }
}

/** `-label:a -label:b` as `-label:a,b`: the tickets are compared with those of all these labels once, and not once for each label. */
function excludedAtOnce(parts: readonly Tree[]): readonly Tree[] {
  const isExcluded = (part: Tree): part is { kind: 'not'; of: Match } =>
    part.kind === 'not' && part.of.kind === 'match' && part.of.name === 'label'
  const excluded = parts.filter(isExcluded)
  if (excluded.length < 2) return parts
  const values = excluded.flatMap(({ of }) => of.values)
  return [...parts.filter(part => !isExcluded(part)), { kind: 'not', of: { kind: 'match', name: 'label', values } }]
}

/** The parts of an AND or OR. Punctuation between words, as in a pasted sentence, is ignored. */
function partsOf(tree: Extract<Tree, { kind: 'and' } | { kind: 'or' }>): readonly Tree[] {
  if (tree.kind === 'or') return tree.of
  const meant = tree.of.filter(part => part.kind !== 'word' || !isPunctuation(part.text))
  return meant.length > 0 ? meant : tree.of
}

/** Whether the query has words besides those of names such as `title:`. */
export function asksForWords(tree: Tree | null): boolean {
  if (tree === null || tree.kind === 'not' || tree.kind === 'match') return false
  return tree.kind === 'word' || tree.kind === 'phrase' || tree.of.some(asksForWords)
}

/** Whether a ticket matches with some of the query's words. */
export function hasChoice(tree: Tree | null): boolean {
  return tree !== null && (tree.kind === 'or' || (tree.kind === 'and' && tree.of.some(hasChoice)))
}
