import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { foldedWords, hasAllWords } from '@tessera/contract/query-language/marks'
import { editDistance } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import * as contract from '@tessera/contract/tickets/search'
import { type Db, run, unpreparedStatement } from '../../db/db.ts'
import { bool, int4, json, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { holds } from '../../lib/authorize.ts'
import { isAfter, orderBy, requireKeys, requireKnown, shownColumns, sortedKeys } from '../tickets/columns/rules.ts'
import { joinState } from '../tickets/queries.ts'
import { candidatesOf, collected } from './candidates/rules.ts'
import { dueDates } from './due/queries.ts'
import type { Bind } from './fields/rules.ts'
import { type Page, readSearchCursor, writeSearchCursor } from './paging/rules.ts'
import { asBadRequest, clockOf, reachOf, readQueryOf, type Searcher, similarWords, ticketRows, withinTime } from './queries.ts'
import { type Compiled, compile, hasChoice, plainWords, type Reach } from './rules.ts'
import { type Sought, snippetsOf } from './snippets/queries.ts'
import { type Order, orderOf } from './sorting/rules.ts'

/** With fewer results than this, similar words are searched for as well. */
const few = 5
/** Alternatives for one mistyped word. */
const mostAlternatives = 20

export const searchTickets = implement(contract.searchTickets, async ({ db, scope, input }) => {
  const query = input.Query
  const searcher: Searcher = { ...scope, ...(input.idProject === undefined ? {} : { projectId: input.idProject }) }
  const parsed = await readQueryOf(db, searcher, query)
  const reach = await reachOf(db, searcher, parsed, [...shownColumns(input).keys, ...sortedKeys(input), ...(input.Due ? ['due'] : [])])
  const clock = clockOf(input.Zone)
  requireKnown(input, new Set([...reach.fields.values()].flat().map(({ key }) => key)))
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
    ...(also.size > 0 ? { Also: [...new Set([...also.values()].flat())] } : {}),
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
  for (const alternatives of await alternativesOf(db, search)) {
    const more = await find(db, search, page, alternatives, exact)
    if (more.total > found.total) [found, also] = [more, alternatives]
    if (found.total >= few) break
  }
  return { found, also }
}

interface Search {
  parsed: Parsed
  reach: Reach
  clock: ReturnType<typeof clockOf>
  searcher: Searcher
  sort: Request<typeof contract.searchTickets>['Sort']
}
/** Similar words by the word that they may replace. */
type Alternatives = ReadonlyMap<string, readonly string[]>

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
/** Of ranked results. */
const rankOrder: Order = {
  keys: [
    { sql: 't.rank', type: 'int', Direction: 'asc' },
    { sql: 't.closed', type: 'boolean', Direction: 'asc' },
  ],
  id: 'desc',
}

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
/** The tickets of a page in their order. `exact` are those found without alternatives: they come first. */
async function find(
  db: Db,
  search: Search,
  page: Page,
  alternatives: Alternatives = new Map(),
  exact: readonly number[] = [],
  isLimited = true,
): Promise<Found> {
  const { parsed, reach, clock, searcher, sort } = search
  const { offset, after, limit } = page
  const { organizationId, userId, admin } = searcher
  const parameters: unknown[] = [organizationId, reach.projects.map(({ id }) => id), userId, admin]
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const place = { projects: '$2::bigint[]', user: '$3::bigint', bind, clock }
  const compiled = asBadRequest(() => compile(parsed, reach, place, alternatives))
  const order = asBadRequest(() => orderOf(sort, parsed, reach, bind))
  const isRanked = order === null && compiled.words.length > 0
  const most = order !== null ? null : isRanked ? collected : collected + offset
  const tickets = (condition: string) => `
    select t.id, t.project_id, t.template_id, t.title, t.parent_id, t.created_at, t.created_by, t.external_id, st.phase, st.position from ticket t
    ${joinState}
    where t.organization_id = $1 and t.project_id = any($2::bigint[]) and ${trashCondition(compiled, reach, bind)}
      and ($4::boolean or t.project_id in (select pm.project_id from project_member pm
        where pm.organization_id = $1 and pm.user_id = $3 and pm.permissions & 1 = 1))
      and ${condition}`
  // Keeps the planner from reading ranked results by the index of ids, which for rare words would be read to its end.
  const first = (condition: string) => `${tickets(condition)} order by t.id${isRanked ? ' + 0' : ''} desc limit ${(most ?? 0) + 1}`
  const candidates =
    isRanked && isLimited && compiled.wordsOnly !== undefined
      ? candidatesOf(compiled.wordsOnly, compile(parsed, reach, place, alternatives, '=').wordsOnly ?? compiled.wordsOnly)
      : null
  const key = keyIn(compiled)
  // Beside the newest, those that rank first however old they are.
  const foremost = () => [
    first(asBadRequest(() => compile(parsed, reach, place, alternatives, '=')).condition),
    ...(key === undefined ? [] : [tickets(`t.id = ${key} and ${compiled.condition}`)]),
  ]
  const found = candidates
    ? tickets('t.id in (select id from candidates)')
    : most === null
      ? tickets(compiled.condition)
      : [first(compiled.condition), ...(isRanked ? foremost() : [])].map(part => `(${part})`).join(' union ')
  const words = bind(compiled.words.join(' '))
  const meant = () => ({ exact: bind(exact), meant: bind(JSON.stringify(meantBy(parsed, alternatives))), isAny: hasChoice(parsed.where) })
  const sorted = isRanked ? `(${rankedRows(compiled, words, bind, meant())})` : 'found'
  const { keys: by, id: direction } = order ?? (isRanked ? rankOrder : { keys: [], id: 'desc' })
  const keys = by.map((key, index) => ({ ...key, name: `k${index}` }))
  const keyed = `select ${['t.id', ...keys.map(({ sql, type, name }) => `(${sql})::${type} as ${name}`)].join(', ')} from ${sorted} t`
  if (after) requireKeys(after, keys)
  const rest = after ? `where ${isAfter(keys, direction, after, bind)}` : ''
  const picked = `select *, row_number() over () as n from (
    select * from (${keyed} offset 0) keyed ${rest} order by ${orderBy(keys, direction)} limit ${bind(limit + 1)}::int) page`
  const statement = unpreparedStatement(
    foundRow,
    `with ${candidates ?? ''} found as materialized (${found}), picked as materialized (${picked})
    select (select count(*)::int from found) as total, ${candidates ? `(select many <= ${collected} from counted)` : 'true'} as complete, coalesce((select json_agg(id order by n) from picked), '[]') as ids,
      coalesce((select json_agg(json_build_array(${keys.map(({ name }) => `${name}::text`).join(', ')}) order by n) from picked), '[]') as keys,
      to_json(array_remove(string_to_array(search_words(${words}, true), ' '), '')) as words`,
  )
  if (candidates) await run(db, withoutWorkers, [])
  const [row] = await run(db, statement, parameters)
  const count = row?.total ?? 0
  // The newest may all be in the trash.
  if (candidates && row?.complete === false && count <= offset + limit) return find(db, search, page, alternatives, exact, false)
  const total = Math.min(count, most ?? count)
  return {
    total,
    isExact: total === count && row?.complete !== false,
    ids: row?.ids ?? [],
    keys: row?.keys ?? [],
    words: [...(row?.words ?? []), ...[...alternatives.values()].flat()],
    begun: parsed.lastWord?.kind === 'word' && parsed.lastWord.text === compiled.words.at(-1) ? row?.words.at(-1) : undefined,
  }
}

/** Excludes the trash, unless the query asks for it and the caller may see it. */
function trashCondition({ asksForTrash }: Compiled, { projects }: Reach, bind: (value: unknown) => string) {
  if (!asksForTrash) return 't.trashed_at is null'
  const opened = projects.filter(project => holds(project, permission.deleteTickets)).map(({ id }) => id)
  return `(t.trashed_at is null or t.project_id = any(${bind(opened)}::bigint[]))`
}

/** The folded words of the query, each with its alternatives; empty without alternatives. */
function meantBy({ where }: Parsed, alternatives: Alternatives) {
  return alternatives.size === 0 ? [] : plainWords(where).map(word => [...foldedWords([word]), ...(alternatives.get(word) ?? [])])
}

/** The id of the ticket whose key the only word of the query may be. */
function keyIn({ words }: Compiled) {
  return words.length === 1 ? /(\d{1,15})$/.exec(words[0] as string)?.[1] : undefined
}

/** Rank by where the match is: key, whole title, its beginning, its words, elsewhere, similar words in the title, elsewhere. Then open tickets, then the newest. */
function rankedRows(
  compiled: Compiled,
  words: string,
  bind: Bind,
  { exact, meant, isAny }: { exact: string; meant: string; isAny: boolean },
) {
  const folded = `search_words(${words}, true)`
  const key = keyIn(compiled)
  const isKey = key === undefined ? 'false' : `(t.id = ${key} or coalesce(lower(t.external_id) = lower(${words}), false))`
  const isInTitle = foldedWords(compiled.words)
    .slice(0, 8)
    .map(word => `(strpos(lower(t.title), ${bind(word)}) > 0)::int`)
  const preferred = [
    ...(key === undefined ? [] : [isKey]),
    `lower(t.title) = lower(${words})`,
    ...(isInTitle.length > 0 ? [isInTitle.join(' + ')] : []),
  ]
  return `
    select id, phase = 3 as closed, case
      when is_key then 0
      when title = wanted then 1
      when starts_with(title, wanted) then 2
      when ${isAny ? '' : 'not '}exists (select 1 from string_to_table(wanted, ' ') w (word)
        where w.word <> '' and strpos(' ' || title, ' ' || w.word) ${isAny ? '>' : '='} 0) then 3
      when ${meant}::jsonb = '[]' or id = any(${exact}::bigint[]) then 4
      when not exists (select 1 from jsonb_array_elements(${meant}::jsonb) one where not exists (
        select 1 from jsonb_array_elements_text(one) w where strpos(' ' || title, ' ' || w) > 0)) then 5
      else 6 end as rank
    from (
      select t.id, t.phase, t.is_key, search_words(t.title, true) as title, ${folded} as wanted from (
        select t.id, t.phase, t.title, ${isKey} as is_key from found t
        order by ${preferred.map(each => `${each} desc`).join(', ')}, t.id desc limit ${collected}
      ) t
    ) t`
}

/** Alternatives for each word with few results: first those with the fewest edits, then all similar ones. */
async function alternativesOf(db: Db, { parsed, reach, searcher }: Search): Promise<Alternatives[]> {
  const words = plainWords(parsed.where).filter(word => [...word].length >= 4)
  if (words.length === 0 || reach.projects.length === 0) return []
  const similar = await similarWords(db, searcher, reach, words)
  const [closest, near] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const [word, rows] of Map.groupBy(similar, row => row.word)) {
    const measured = rows
      .map(row => ({ similar: row.similar, edits: editDistance(row.folded, row.similar), allowed: [...row.folded].length < 8 ? 1 : 2 }))
      .filter(({ edits, allowed }) => edits > 0 && edits <= allowed)
      .sort((left, right) => left.edits - right.edits || (left.similar < right.similar ? -1 : 1))
      .slice(0, mostAlternatives)
    const fewest = measured[0]?.edits
    if (fewest === undefined) continue
    const isMixed = measured.some(({ edits }) => edits > fewest)
    closest.set(
      word,
      measured.filter(({ edits }) => edits === fewest).map(row => row.similar),
    )
    if (isMixed)
      near.set(
        word,
        measured.map(row => row.similar),
      )
  }
  if (closest.size === 0) return []
  return near.size === 0 ? [closest] : [closest, new Map([...closest, ...near])]
}
