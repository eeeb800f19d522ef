import { limits } from '@tessera/contract/limits'
import { hasAllWords } from '@tessera/contract/query-language/marks'
import { editDistance } from '@tessera/contract/query-language/names'
import * as contract from '@tessera/contract/tickets/search'
import { type Db, run, unpreparedStatement } from '../../db/db.ts'
import { bool, int4, json, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { requireKnown, shownColumns } from '../tickets/columns/list-columns.ts'
import { dueDates } from './dates/due-dates.ts'
import { clockOf } from './dates/zone.ts'
import { reachOf, readQueryOf, type Searcher } from './query/read-query.ts'
import { withinTime } from './query/within-time.ts'
import { type Page, readSearchCursor, writeSearchCursor } from './results/search-cursor.ts'
import { type Alternatives, noSimilar, type Search, type Similar, statementOf } from './results/search-statement.ts'
import { type Sought, snippetsOf } from './results/snippets.ts'
import { ticketRows } from './results/ticket-rows.ts'
import { similarWords, wordsBegunLike, wordsOf } from './words/similar-words.ts'
import { partsOfWord } from './words/title-parts.ts'
import { plainWords } from './words/word-queries.ts'

/** With fewer results than this, similar words are searched for as well. */
const few = 5
/** Alternatives for one mistyped word. */
const mostAlternatives = 20
/** How many letters of a word may be mistyped. */
const editsAllowed = (word: string) => ([...word].length < 8 ? 1 : 2)

export const searchTickets = implement(contract.searchTickets, async ({ db, scope, input }) => {
  const query = input.Query
  const searcher: Searcher = { ...scope, ...(input.idProject === undefined ? {} : { projectId: input.idProject }) }
  const parsed = await readQueryOf(db, searcher, query)
  const reach = await reachOf(db, searcher, parsed, {
    names: input.Due ? ['due'] : [],
    columns: shownColumns(input).keys,
    sort: input.Sort,
  })
  const clock = clockOf(input.Zone)
  requireKnown(input, new Set(reach.columns.map(({ key }) => key)))
  const page = { ...readSearchCursor(input, input.Cursor), limit: input.Limit ?? limits.pageSize }
  const search = { parsed, reach, clock, searcher, sort: input.Sort }
  const { found, also } = await withinTime(db, query, limited => findOrSimilar(limited, search, page))

  const rows = await ticketRows(db, searcher, reach, found.ids.slice(0, page.limit), input.Columns)
  const snippets = await snippetsOf(
    db,
    searcher,
    rows.filter(({ Title }) => !hasAllWords(Title, found.words)).map(({ id }) => id),
    found,
  )
  // A word of the vocabulary may be of a text that is gone.
  const similar = await wordsOf(db, searcher, found.ids, [...new Set([...also.values()].flat())])
  const due = input.Due ? await dueDates(db, searcher, reach, found.ids) : undefined
  const last = found.ids.length > page.limit ? page.limit - 1 : undefined
  return {
    Tickets: rows.map(row => {
      const snippet = snippets.get(row.id)
      return { ...row, ...(due && { Due: due.get(row.id) ?? '' }), ...(snippet ? { Snippet: snippet } : {}) }
    }),
    NextCursor:
      last === undefined
        ? null
        : writeSearchCursor(input, page.offset + page.limit, { keys: found.keys[last] ?? [], id: found.ids[last] as number }),
    Total: found.total,
    TotalIsExact: found.isExact ? (1 as const) : (0 as const),
    ...(similar.length > 0 ? { Also: similar } : {}),
  }
})

/** The results; when there are few, including those for similar words. */
async function findOrSimilar(db: Db, search: Search, page: Page): Promise<{ found: Found; also: Alternatives }> {
  await run(db, byIndex, [])
  let found = await find(db, search, page)
  let also: Alternatives = new Map()
  if (found.total >= few) return { found, also }
  const isWhole = page.offset === 0 && page.limit >= few
  const exact = isWhole ? found.ids : (await find(db, search, { offset: 0, after: undefined, limit: few })).ids
  const similar = await alternativesOf(db, search)
  for (const alternatives of similar) {
    const more = await find(db, search, page, { alternatives, exact })
    if (more.total > found.total) [found, also] = [more, alternatives]
    if (found.total >= few) break
  }
  const begun = found.total === 0 ? await begunAlternatives(db, search, similar.at(-1)) : undefined
  if (begun) {
    const more = await find(db, search, page, { alternatives: begun, exact: [] })
    if (more.total > 0) [found, also] = [more, begun]
  }
  return { found, also }
}

interface Found extends Sought {
  /** If `isExact` is false, there are more. */
  total: number
  isExact: boolean
  /** Of the page, and one more when another page follows. */
  ids: number[]
  /** The sort keys of `ids`. */
  keys: (string | null)[][]
}

const foundRow = { total: int4, complete: bool, ids: json<number[]>(), keys: json<(string | null)[][]>(), words: json<string[]>() }
/**
 * With a LIMIT, PostgreSQL would rather scan the table than use the index. The bitmap of a frequent word needs more than 4 MB: a lossy one would
 * recheck all rows of its pages.
 */
const byIndex = unpreparedStatement(
  { scans: text, memory: text },
  "select set_config('enable_seqscan', 'off', true) as scans, set_config('work_mem', '32MB', true) as memory",
)
/** PostgreSQL would start parallel workers for the scan of the tickets even if it is not executed. */
const withoutWorkers = unpreparedStatement({}, 'set local max_parallel_workers_per_gather = 0')
/** The tickets of a page in their order. */
async function find(db: Db, search: Search, page: Page, similar: Similar = noSimilar): Promise<Found> {
  let statement = statementOf(search, page, similar)
  let row = await execute(db, statement)
  // The newest may all be in the trash.
  if (statement.hasCandidates && !row.complete && row.total <= page.offset + page.limit) {
    statement = statementOf(search, page, similar, { isSampled: false })
    row = await execute(db, statement)
  }
  const { compiled, most } = statement
  const total = Math.min(row.total, most ?? row.total)
  const { lastWord } = search.parsed
  return {
    total,
    isExact: total === row.total && row.complete,
    ids: row.ids,
    keys: row.keys,
    words: [...row.words, ...[...similar.alternatives.values()].flat()],
    begun: lastWord?.kind === 'word' && lastWord.text === compiled.words.at(-1) ? row.words.at(-1) : undefined,
  }
}

async function execute(db: Db, { sql, parameters, hasCandidates, hasFew }: ReturnType<typeof statementOf>) {
  if (hasCandidates || hasFew) await run(db, withoutWorkers, [])
  const [row] = await run(db, unpreparedStatement(foundRow, sql), parameters)
  return row ?? { total: 0, complete: true, ids: [], keys: [], words: [] }
}

/** Alternatives for each word with few results: first those with the fewest edits, then all similar ones. */
async function alternativesOf(db: Db, { parsed, reach, searcher }: Search): Promise<Alternatives[]> {
  const words = plainWords(parsed, reach.projects).filter(word => [...word].length >= 4)
  if (words.length === 0 || reach.projects.length === 0) return []
  const similar = await similarWords(db, searcher, reach, words)
  const [closest, near] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const [word, rows] of Map.groupBy(similar, row => row.word)) {
    const measured = rows
      .map(row => ({ similar: row.similar, edits: editDistance(row.folded, row.similar), allowed: editsAllowed(row.folded) }))
      .filter(({ edits, allowed }) => edits > 0 && edits <= allowed)
      .sort((left, right) => left.edits - right.edits || (left.similar < right.similar ? -1 : 1))
      .slice(0, mostAlternatives)
    const all = measured.map(row => row.similar)
    const fewest = measured.filter(({ edits }) => edits === measured[0]?.edits).length
    if (fewest > 0) closest.set(word, all.slice(0, fewest))
    if (fewest < all.length) near.set(word, all)
  }
  if (closest.size === 0) return []
  return near.size === 0 ? [closest] : [closest, new Map([...closest, ...near])]
}

/** The alternatives, and for the last word, which may be unfinished, those that begin almost as it does. */
async function begunAlternatives(db: Db, { parsed, reach, searcher }: Search, others: Alternatives = new Map()) {
  const word = parsed.lastWord?.kind === 'word' ? partsOfWord(parsed.lastWord.text).at(-1) : undefined
  if (word === undefined || !plainWords(parsed, reach.projects).includes(word) || reach.projects.length === 0) return undefined
  const words = (await wordsBegunLike(db, searcher, reach, word))
    .map(({ folded, similar }) => {
      const typed = [...folded].length
      const beginnings = [-1, 0, 1].map(more => [...similar].slice(0, typed + more).join(''))
      return { similar, edits: Math.min(...beginnings.map(each => editDistance(folded, each))), allowed: editsAllowed(folded) }
    })
    .filter(({ edits, allowed }) => edits <= allowed)
    .sort((left, right) => left.edits - right.edits)
    .slice(0, mostAlternatives)
  return words.length === 0 ? undefined : new Map([...others, [word, words.map(({ similar }) => similar)]])
}
