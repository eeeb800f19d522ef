import { partOf, type Tree } from '@tessera/contract/query-language/tree'
import { type Ground, labelledTickets } from '../conditions/rules.ts'
import { isNone } from '../fields/rules.ts'
import { isOnlySymbols } from '../parts/rules.ts'
import { hasOwnWords, idsWith, isWords, term, type WordQueries } from '../words/rules.ts'

/** A part of a query that an index can find. Its functions bind parameters, so each is called only where its SQL is used. */
export interface Indexed {
  /** SQL of the ids of the tickets that meet it, in no order. A further condition can be appended. */
  ids(): string
  /** Of words: SQL that ticket `t` has them, which reads only the words of this ticket. */
  isMet?(): string
}

/** The parts that every ticket must meet: those that an index can find, and all but the words. Words beside each other are one part. */
export function splitParts(parts: readonly Tree[], queries: WordQueries, ground: Ground): { indexed: Indexed[]; others: Tree[] } {
  const ofWords = parts.filter(part => isWords(part, ground.reached))
  const grouped = [...parts.filter(part => !ofWords.includes(part)), ...(ofWords.length > 0 ? [{ kind: 'and', of: ofWords } as const] : [])]
  const known = new Map(grouped.map(part => [part, indexedPart(part, queries, ground)]))
  return { indexed: [...known.values()].filter(part => part !== undefined), others: grouped.filter(part => !known.get(part)?.isMet) }
}

function indexedPart(part: Tree, queries: WordQueries, ground: Ground): Indexed | undefined {
  const { bind, projects } = ground
  const worded = (query: () => string) => ({ ids: () => idsWith(query(), projects), isMet: () => hasOwnWords(query()) })
  // The code of a project finds all of its tickets.
  if (isWords(part, ground.reached)) return queries.wholeProjects(part).length > 0 ? undefined : worded(() => queries.of(part))
  const texts = textsOf(part)
  const [text] = texts
  if (part.kind !== 'match' || text === undefined) return undefined
  if (part.name === 'label') return { ids: () => labelledTickets(texts, ground) }
  if (texts.length > 1 || partOf(text) !== undefined || isOnlySymbols(text)) return undefined
  if (part.name === 'title') return worded(() => term(bind, text, '='))
  if (part.name === 'text') return worded(() => term(bind, text, '', 'B'))
  if (part.name === 'comment') return worded(() => term(bind, text, '', 'C'))
  return undefined
}

/** The texts of a match, if all its values are texts. */
function textsOf(part: Tree): string[] {
  if (part.kind !== 'match') return []
  const texts = part.values.flatMap(value => (!isNone(value) && (value.kind === 'text' || value.kind === 'quoted') ? [value.text] : []))
  return texts.length === part.values.length ? texts : []
}
