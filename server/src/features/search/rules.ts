import { permission } from '@tessera/contract/permissions'
import { foldedText } from '@tessera/contract/query-language/marks'
import { isQueryName, type QueryName } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, matchesOf, QueryError, type Tree, wordsOf } from '@tessera/contract/query-language/tree'
import { holds } from '../../lib/authorize.ts'
import { isKey } from '../tickets/rules.ts'
import { type Ground, hadKey, type KeyedTicket, matchCondition, thoseNamed } from './conditions/rules.ts'
import type { Clock } from './dates/rules.ts'
import { type Bind, type FieldOfKey, fieldCondition, isNone } from './fields/rules.ts'
import { isOnlySymbols, isPunctuation, partsOfWord, titlePart } from './parts/rules.ts'

/** The projects that a query reads, and the fields that it may name there. */
export interface Reach {
  /** The caller sees every project of the organization. */
  isAdmin: boolean
  projects: readonly ReachedProject[]
  /** By the names that the query uses, the fields with these keys; under `due` those that say when a ticket is due. */
  fields: ReadonlyMap<string, readonly FieldOfKey[]>
}
export interface ReachedProject {
  id: number
  code: string
  title: string
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
  /** SQL about ticket `t` and its state `st`. */
  condition: string
  /** The words that are searched for, as typed; a phrase is one. */
  words: string[]
  /** Those of the words that are the code of a project: they find its tickets too. */
  codes: string[]
  /** Only for a query that consists of words. */
  wordsOnly?: Words
}

export interface Words {
  /** SQL of the ids that have them, in no order. */
  ids: string
  /** SQL of the tsquery of the words, without the projects. */
  query: string
}

/** A query as SQL. `alternatives` are words of the project that a word may have meant. Mark '=' looks for words in titles alone. */
export function compile(
  parsed: Parsed,
  reach: Reach,
  place: Place,
  alternatives: ReadonlyMap<string, readonly string[]> = new Map(),
  wordMark: '' | '=' = '',
): Compiled {
  const { bind, projects } = place
  const ticketsNamed = (text: string): KeyedTicket[] => {
    if (/^\d{1,15}$/.test(text)) return [{ id: Number(text) }, ...coded(text)]
    return coded(text)
  }
  /** ops42 and OPS-42 name the same ticket. */
  const coded = (text: string): KeyedTicket[] =>
    reach.projects.flatMap(({ id, code }) => {
      const rest = text.toLowerCase().startsWith(code.toLowerCase()) ? text.slice(code.length) : ''
      return /^-?\d{1,15}$/.test(rest) ? [{ id: Number(rest.replace('-', '')), projectId: id }] : []
    })
  const found = (query: string) =>
    `select s.ticket_id from ticket_search s where s.organization_id = $1 and s.project_id = any(${projects}) and s.words @@ (${query} && search_projects(${projects}))`
  /** Every ticket of the projects in `whole` matches. Comparing the project is faster than reading all of them from the index of words. */
  const search = (query: string, whole: readonly number[] = []) => {
    if (whole.length === 0) return `t.id in (${found(query)})`
    return `(t.project_id in (${whole.join()}) or t.id in (${found(`${query} && (!!search_projects(array[${whole.join()}]::bigint[]))`)}))`
  }
  const term = (text: string, mark: '' | '=', weight: '' | 'B' | 'C', isPrefix: boolean) =>
    `coalesce(search_query(${bind(text)}, '${mark}', '${weight}', ${isPrefix}), '''@none''')`
  const ground: Ground = {
    ...place,
    isAdmin: reach.isAdmin,
    reached: reach.projects,
    ticketsNamed,
    projectsNamed: text => {
      const named = (same: (name: string) => string) =>
        reach.projects.filter(({ code, title }) => [code, title].some(name => same(name) === same(text))).map(({ id }) => id)
      const exact = named(name => name.toLowerCase())
      return exact.length > 0 ? exact : named(foldedText)
    },
    words: (...of) => search(term(...of)),
  }
  const codes = typedWords(parsed.where).filter(word => isCode(word, reach))
  const words = wordsOf(parsed.where)
  // Codes alone find all tickets of their projects: instead of those with them in the title, those that have them anywhere come first.
  const isWithoutCodes = wordMark === '=' && words.length === codes.length
  /** A word that is the code of a project also finds all tickets of that project. */
  function asTyped(tree: Extract<Tree, { kind: 'word' } | { kind: 'phrase' }>): string {
    const inPart = (mark: '' | '=') => term(tree.text, mark, '', tree === parsed.lastWord)
    const named = tree.kind === 'word' ? coding(tree.text, reach) : []
    if (named.length === 0) return inPart(wordMark)
    if (isWithoutCodes) return inPart('')
    return `(${inPart(wordMark)} || search_projects(${bind(named)}::bigint[]))`
  }
  /** The projects of which every ticket matches, because the words are the project's code. */
  const wholeProjects = (tree: Tree) =>
    isWithoutCodes ? [] : reach.projects.filter(({ code }) => matchesCode(tree, code)).map(({ id }) => id)
  const signs = (text: string) => `(${search(term(text, '', '', false))} or ${titlePart(text, ground)})`

  /** Whether the tree consists of words, so that one index lookup finds the tickets. */
  function isWords(tree: Tree): boolean {
    if (tree.kind === 'word') return !isOnlySymbols(tree.text) && ticketsNamed(tree.text).length === 0 && !isKey(tree.text)
    return (tree.kind === 'phrase' && !isOnlySymbols(tree.text)) || ((tree.kind === 'and' || tree.kind === 'or') && tree.of.every(isWords))
  }

  /** The tsquery of words alone. */
  function wordQuery(tree: Tree): string {
    if (tree.kind === 'word' || tree.kind === 'phrase') {
      const typed = asTyped(tree)
      const parts = tree.kind === 'word' ? partsOfWord(tree.text) : []
      if (!parts.some(part => alternatives.has(part))) return typed
      // The parts of a compound such as set-data must be adjacent in the text.
      const choices = parts.map(part => {
        const similar = alternatives.get(part) ?? []
        const asPart = term(part, wordMark, '', false)
        // Words of the vocabulary are already folded and need no quoting: they have only letters.
        return similar.length === 0 ? asPart : `(${asPart} || ${bind(similar.map(word => `'${wordMark}${word}'`).join(' | '))}::tsquery)`
      })
      return `(${typed} || (${choices.join(' <-> ')}))`
    }
    const parts = tree.kind === 'and' || tree.kind === 'or' ? tree.of.map(wordQuery) : []
    return `(${parts.join(tree.kind === 'and' ? ' && ' : ' || ')})`
  }

  function condition(tree: Tree): string {
    if (isWords(tree)) return search(wordQuery(tree), wholeProjects(tree))
    switch (tree.kind) {
      case 'and':
      case 'or':
        return `(${joined(tree).join(` ${tree.kind} `)})`
      case 'not':
        return `(not coalesce(${condition(tree.of)}, false))`
      case 'phrase':
        return signs(tree.text)
      case 'word':
        if (isOnlySymbols(tree.text)) return signs(tree.text)
        return `t.id in (${[
          thoseNamed(ticketsNamed(tree.text), bind),
          ...(isKey(tree.text) ? [hadKey(tree.text, bind)] : []),
          found(asTyped(tree)),
        ].join(' union all ')})`
      case 'match':
        return matchOf(tree)
    }
  }

  /** The conditions of the parts; those that are words become one index lookup. */
  function joined(tree: Extract<Tree, { kind: 'and' } | { kind: 'or' }>): string[] {
    // Punctuation between words, as in a pasted sentence, is ignored.
    const meant = tree.kind === 'and' ? tree.of.filter(part => part.kind !== 'word' || !isPunctuation(part.text)) : tree.of
    const of = meant.length > 0 ? meant : tree.of
    const words = of.filter(isWords)
    const others = (tree.kind === 'and' ? excludedAtOnce(of) : of).filter(part => !isWords(part)).map(condition)
    return words.length === 0 ? others : [condition({ kind: tree.kind, of: words }), ...others]
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

  function matchOf(match: Match): string {
    const { spanOf } = parsed
    const isDue = match.name === 'due'
    if (isQueryName(match.name) && !isDue) return matchCondition(match as Match & { name: QueryName }, spanOf, ground)
    const fields = reach.fields.get(match.name) ?? []
    if (fields.length === 0) {
      // Nothing is due where no field says so.
      if (isDue) return String(match.values.some(isNone))
      throw new QueryError(`There is no field '${match.name}'`, spanOf(match))
    }
    return fieldCondition(match, fields, { ...place, spanOf })
  }

  const { where } = parsed
  if (where === null || !isWords(where)) return { condition: where === null ? 'true' : condition(where), words, codes }
  const query = wordQuery(where)
  return { condition: search(query, wholeProjects(where)), words, codes, wordsOnly: { ids: found(query), query } }
}

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

/** Whether a ticket matches with some of the query's words. */
export function hasChoice(tree: Tree | null): boolean {
  return tree !== null && (tree.kind === 'or' || (tree.kind === 'and' && tree.of.some(hasChoice)))
}

/** The plain words of a query, which may have typing errors unless they are codes of projects. */
export function plainWords({ where }: Parsed, reach: Reach): string[] {
  return typedWords(where)
    .filter(word => !isCode(word, reach))
    .flatMap(partsOfWord)
}

function typedWords(tree: Tree | null): string[] {
  if (tree === null || tree.kind === 'not' || tree.kind === 'match' || tree.kind === 'phrase') return []
  return tree.kind === 'word' ? [tree.text] : tree.of.flatMap(typedWords)
}

/** The projects that have the word as their code. */
function coding(word: string, { projects }: Reach) {
  return projects.filter(({ code }) => code.toLowerCase() === word.toLowerCase()).map(({ id }) => id)
}
/** Whether every ticket of the project with this code matches the tree. */
function matchesCode(tree: Tree, code: string): boolean {
  if (tree.kind === 'and') return tree.of.every(part => matchesCode(part, code))
  if (tree.kind === 'or') return tree.of.some(part => matchesCode(part, code))
  return tree.kind === 'word' && tree.text.toLowerCase() === code.toLowerCase()
}
function isCode(word: string, reach: Reach) {
  return coding(word, reach).length > 0
}
