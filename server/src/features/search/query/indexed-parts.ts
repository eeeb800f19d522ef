import { partOf, type Tree } from '@tessera/contract/query-language/tree'
import { isNone } from '../conditions/comparisons.ts'
import { type Ground, labelledTickets } from '../conditions/match-condition.ts'
import { isOnlySymbols } from '../words/title-parts.ts'
import { hasOwnWords, idsWith, isWords, term, type WordQueries } from '../words/word-queries.ts'

// The functions here bind parameters, so each is called only where its SQL is used.

/** A part of a query that an index can find. */
interface Indexed {
  /** SQL of the ids of the tickets that meet it, in no order. A further condition can be appended. */
  ids(): string
  /** Of words: SQL that ticket `t` has them, which reads only the words of this ticket. */
  isMet?(): string
}

/** The parts that every ticket must meet: those that an index can find, and all but the words. Words beside each other are one part. */
export function splitParts(parts: readonly Tree[], queries: WordQueries, ground: Ground) {
  const ofWords = parts.filter(part => isWords(part, ground.reached))
  const grouped = [...parts.filter(part => !ofWords.includes(part)), ...(ofWords.length > 0 ? [{ kind: 'and', of: ofWords } as const] : [])]
  const known = new Map(grouped.map(part => [part, indexedPart(part, queries, ground)]))
  const indexed = [...known.values()].filter(part => part !== undefined)
  const few = indexed.length > 0 ? grouped.flatMap(part => fewTickets(part, ground) ?? []) : []
  return {
    ids: [...few.map(sql => () => sql), ...indexed.map(({ ids }) => ids)],
    isMet: indexed.flatMap(part => part.isMet ?? []),
    others: grouped.filter(part => !known.get(part)?.isMet),
  }
}

/** SQL of the ids of tickets among which are all that meet the part. They are often few: then they are read instead of all tickets with a frequent word. */
function fewTickets(part: Tree, { projects, user }: Ground): string | undefined {
  const [is, ...more] = textsOf(part)
  if (part.kind !== 'match' || part.name !== 'is' || more.length > 0) return undefined
  switch (is?.toLowerCase()) {
    case 'trashed':
      return `select x.id as ticket_id from ticket x where x.organization_id = $1 and x.project_id = any(${projects}) and x.trashed_at is not null`
    case 'blocked':
      return "select l.to_ticket_id as ticket_id from ticket_link l where l.organization_id = $1 and l.kind = 'blocks'"
    case 'blocking':
      return "select l.from_ticket_id as ticket_id from ticket_link l where l.organization_id = $1 and l.kind = 'blocks'"
    case 'mine':
      return `select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = any(${projects}) and a.user_id = ${user}`
  }
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
