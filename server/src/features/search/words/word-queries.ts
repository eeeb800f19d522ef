import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Tree, wordsOf } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { isKey } from '../../tickets/ticket-keys.ts'
import { type NamedProject, projectsCoded, ticketsNamed } from '../conditions/named-tickets.ts'
import { isOnlySymbols, partsOfWord } from './title-parts.ts'

// The words of a query as tsqueries, and the tickets that they find. $1 is the organization.

/** SQL: the tsquery of a word or phrase. Mark '=' looks for it in titles alone, a weight in that kind of text. */
export function term(bind: Bind, text: string, mark: '' | '=' = '', weight: '' | 'B' | 'C' = '', isPrefix = false) {
  return `coalesce(search_query(${bind(text)}, '${mark}', '${weight}', ${isPrefix}), '''@none''')`
}

/** SQL: the ids of the tickets that have the words of the tsquery, in no order. */
export function idsWith(query: string, projects: string) {
  return `select s.ticket_id from ticket_search s where s.organization_id = $1 and s.project_id = any(${projects}) and s.words @@ (${query} && search_projects(${projects}))`
}

/**
 * SQL: ticket `t` has the words of the tsquery. Every ticket of the projects in `whole` matches: comparing the project is faster than reading all of them
 * from the index of words.
 */
export function hasWords(query: string, projects: string, whole: readonly number[] = []) {
  if (whole.length === 0) return `t.id in (${idsWith(query, projects)})`
  const elsewhere = `${query} && (!!search_projects(array[${whole.join()}]::bigint[]))`
  return `(t.project_id in (${whole.join()}) or t.id in (${idsWith(elsewhere, projects)}))`
}

/** The same, reading only the words of this ticket: `offset 0` keeps PostgreSQL from reading all tickets with the words at once. */
export function hasOwnWords(query: string) {
  return `exists (select from ticket_search s where s.organization_id = $1 and s.ticket_id = t.id and s.words @@ (${query}) offset 0)`
}

/** Whether the tree consists of words, so that one index lookup finds the tickets. */
export function isWords(tree: Tree, projects: readonly NamedProject[]): boolean {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.of.every(part => isWords(part, projects))
  if (tree.kind === 'phrase') return !isOnlySymbols(tree.text)
  return tree.kind === 'word' && !isOnlySymbols(tree.text) && ticketsNamed(tree.text, projects).length === 0 && !isKey(tree.text)
}

interface Asked {
  parsed: Parsed
  projects: readonly NamedProject[]
  bind: Bind
  /** Words of the projects that a word may have meant. */
  alternatives: ReadonlyMap<string, readonly string[]>
  /** '=' looks for words in titles alone. */
  mark: '' | '='
}

/** Makes tsqueries of the words of one query. */
export class WordQueries {
  private readonly asked: Asked
  /** As typed; a phrase is one. */
  readonly words: string[]
  /** Those of the words that are the code of a project: they find its tickets too. */
  readonly codes: string[]
  /** Codes alone find all tickets of their projects: instead of those with them in the title, those that have them anywhere come first. */
  private readonly ignoresProjects: boolean

  constructor(asked: Asked) {
    const { parsed, projects, mark } = asked
    this.asked = asked
    this.words = wordsOf(parsed.where)
    this.codes = typedWords(parsed.where).filter(word => projectsCoded(word, projects).length > 0)
    this.ignoresProjects = mark === '=' && this.words.length === this.codes.length
  }

  /** The tsquery of a tree of words. */
  of(tree: Tree): string {
    if (tree.kind === 'word' || tree.kind === 'phrase') return this.withAlternatives(tree)
    const parts = tree.kind === 'and' || tree.kind === 'or' ? tree.of.map(part => this.of(part)) : []
    return `(${parts.join(tree.kind === 'and' ? ' && ' : ' || ')})`
  }

  /** A word that is the code of a project also finds all tickets of that project. */
  asTyped(tree: Extract<Tree, { kind: 'word' } | { kind: 'phrase' }>): string {
    const { parsed, projects, bind, mark } = this.asked
    const inPart = (part: '' | '=') => term(bind, tree.text, part, '', tree === parsed.lastWord)
    const coded = tree.kind === 'word' ? projectsCoded(tree.text, projects) : []
    if (coded.length === 0) return inPart(mark)
    if (this.ignoresProjects) return inPart('')
    return `(${inPart(mark)} || search_projects(${bind(coded)}::bigint[]))`
  }

  private withAlternatives(tree: Extract<Tree, { kind: 'word' } | { kind: 'phrase' }>): string {
    const { bind, alternatives, mark } = this.asked
    const typed = this.asTyped(tree)
    const parts = tree.kind === 'word' ? partsOfWord(tree.text) : []
    if (!parts.some(part => alternatives.has(part))) return typed
    // The parts of a compound such as set-data must be adjacent in the text.
    const choices = parts.map(part => {
      const similar = alternatives.get(part) ?? []
      const asPart = term(bind, part, mark)
      // Words of the vocabulary are already folded and need no quoting: they have only letters.
      return similar.length === 0 ? asPart : `(${asPart} || ${bind(similar.map(word => `'${mark}${word}'`).join(' | '))}::tsquery)`
    })
    return `(${typed} || (${choices.join(' <-> ')}))`
  }

  /** The ids of the projects of which every ticket matches, because the words are the project's code. */
  wholeProjects(tree: Tree): number[] {
    return this.ignoresProjects ? [] : this.asked.projects.filter(({ code }) => matchesCode(tree, code)).map(({ id }) => id)
  }
}

/** Whether every ticket of the project with this code matches the tree. */
function matchesCode(tree: Tree, code: string): boolean {
  if (tree.kind === 'and') return tree.of.every(part => matchesCode(part, code))
  if (tree.kind === 'or') return tree.of.some(part => matchesCode(part, code))
  return tree.kind === 'word' && tree.text.toLowerCase() === code.toLowerCase()
}

/** The plain words of a query, which may have typing errors unless they are codes of projects. */
export function plainWords({ where }: Parsed, projects: readonly NamedProject[]): string[] {
  return typedWords(where)
    .filter(word => projectsCoded(word, projects).length === 0)
    .flatMap(partsOfWord)
}

function typedWords(tree: Tree | null): string[] {
  if (tree === null || tree.kind === 'not' || tree.kind === 'match' || tree.kind === 'phrase') return []
  return tree.kind === 'word' ? [tree.text] : tree.of.flatMap(typedWords)
}
