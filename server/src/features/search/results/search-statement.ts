import type { Request } from '@tessera/contract/call'
import { foldedWords } from '@tessera/contract/query-language/marks'
import type { Parsed } from '@tessera/contract/query-language/parse'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { type Bind, bindTo } from '../../../lib/bind.ts'
import { firstInOrder } from '../../tickets/columns/column-keys.ts'
import { requireKeys } from '../../tickets/columns/column-order.ts'
import { joinState } from '../../tickets/pages/list-rows.ts'
import type { clockOf } from '../dates/zone.ts'
import { asksForWords, type Compiled, compile, hasChoice, type Reach } from '../query/compile-query.ts'
import { isReached } from '../query/reached-tickets.ts'
import { asBadRequest, type Searcher } from '../query/read-query.ts'
import { plainWords } from '../words/word-queries.ts'
import { candidatesOf, collected } from './candidates.ts'
import type { Page } from './search-cursor.ts'
import { type Order, orderOf } from './search-order.ts'

export interface Search {
  parsed: Parsed
  reach: Reach
  clock: ReturnType<typeof clockOf>
  searcher: Searcher
  sort: Request<typeof searchTickets>['Sort']
}
/** Similar words by the word that they may replace. */
export type Alternatives = ReadonlyMap<string, readonly string[]>
export interface Similar {
  alternatives: Alternatives
  /** The tickets found without the alternatives: they come first. */
  exact: readonly number[]
}
export const noSimilar: Similar = { alternatives: new Map(), exact: [] }

/** The order of ranked results. */
const rankOrder: Order = {
  keys: [
    { sql: 't.rank', type: 'int', Direction: 'asc' },
    { sql: 't.closed', type: 'boolean', Direction: 'asc' },
  ],
  id: 'desc',
}
const newestFirst: Order = { keys: [], id: 'desc' }
/** With at most so many tickets to choose from, these are read first. */
const mostFew = 20_000

/**
 * The tickets of a page in their order; unless `isSampled`, without the limit on candidates for frequent words. $1 to $4 are the organization, the
 * projects, the person, and whether they see every project.
 */
export function statementOf(search: Search, page: Page, { alternatives, exact }: Similar, { isSampled } = { isSampled: true }) {
  const { organizationId, userId, admin } = search.searcher
  const parameters: unknown[] = [organizationId, search.reach.projects.map(({ id }) => id), userId, admin]
  const parts = partsOf(search, page.offset, alternatives, bindTo(parameters))
  const { compiled, isRanked, most } = parts
  const candidates = isSampled ? candidatesIn(parts) : null
  const { before, found } = candidates
    ? { before: candidates, found: tickets(parts, 't.id in (select id from candidates)') }
    : firstTickets(parts)
  const hasFew = !candidates && most !== null && (compiled.parts?.ids.length ?? 0) > 0
  const words = parts.bind(compiled.words.join(' '))
  const { keys, picked } = pageOf(parts, isRanked ? `(${rankedRows(parts, words, exact)})` : 'found', page)
  // The states are joined last: PostgreSQL misjudges how many tickets a join with them leaves.
  const sql = `with ${before} found as materialized (select t.*, st.phase, st.position from (${found}) t ${joinState}), ${picked}
    select (select count(*)::int from found) as total, ${candidates ? `(select many <= ${collected} from counted)` : 'true'} as complete, coalesce((select json_agg(id order by n) from picked), '[]') as ids,
      coalesce((select json_agg(json_build_array(${keys.map(({ name }) => `${name}::text`).join(', ')}) order by n) from picked), '[]') as keys,
      to_json(array_remove(string_to_array(search_words(${words}, true), ' '), '')) as words`
  return { sql, parameters, compiled, most, hasCandidates: candidates !== null, hasFew }
}

/** What the pieces of the statement have in common. */
type Parts = ReturnType<typeof partsOf>
function partsOf(search: Search, offset: number, alternatives: Alternatives, bind: Bind) {
  const { parsed, reach, clock, sort } = search
  const place = { projects: '$2::bigint[]', user: '$3::bigint', bind, clock }
  const compiledWith = (mark: '' | '=') => asBadRequest(() => compile(parsed, reach, place, alternatives, mark))
  const compiled = compiledWith('')
  const sorted = asBadRequest(() => orderOf(sort, parsed, reach, bind))
  const isRanked = !sorted && compiled.words.length > 0
  /** How many tickets are counted; null for all. */
  const most = sorted ? null : collected + (isRanked ? 0 : offset)
  /** The query with its words looked for in titles alone. */
  const inTitles = () => compiledWith('=')
  return { search, alternatives, bind, compiled, inTitles, order: sorted ?? (isRanked ? rankOrder : newestFirst), isRanked, most }
}

function candidatesIn({ compiled: { wordsOnly }, inTitles, isRanked }: Parts) {
  return isRanked && wordsOnly ? candidatesOf(wordsOnly, inTitles().wordsOnly ?? wordsOnly) : null
}

/** The tickets that meet the condition and that the caller may see. */
function tickets({ search, bind }: Parts, condition: string) {
  return `
    select t.id, t.project_id, t.template_id, t.title, t.parent_id, t.created_at, t.created_by, t.external_id, t.state_id from ticket t
    where ${isReached(search, bind)} and ${condition}`
}

/** SQL of as many tickets as are counted and one more, and the CTEs `before` it. */
function firstTickets(parts: Parts): { before: string; found: string } {
  const { search, compiled, inTitles, isRanked, most } = parts
  if (most === null) return { before: '', found: tickets(parts, compiled.condition) }
  const ctes = newestOf(parts, compiled, { name: 'newest', isWanted: 'true', most: most + 1 })
  const found = ['select * from newest']
  // Besides the newest: those with the words in the title, which rank first whatever their age.
  if (isRanked && asksForWords(search.parsed.where)) {
    const isWanted = `(select count(*) > ${most} from newest)`
    ctes.push(...newestOf(parts, inTitles(), { name: 'titled', isWanted, most: most + 1 }))
    found.push('select * from titled')
  }
  const key = isRanked ? keyIn(compiled) : undefined
  if (key !== undefined) found.push(tickets(parts, `t.id = ${key} and ${compiled.condition}`))
  return { before: `${ctes.join(', ')},`, found: found.map(part => `(${part})`).join(' union ') }
}

/**
 * CTEs, of which `name` has the newest tickets that meet the query, if `isWanted`. PostgreSQL cannot tell beforehand whether a word or a label is rare. So
 * the tickets of one part after the other are read by an index, up to a limit. If one part has few, all results are among these. Otherwise tickets are read
 * from the newest backwards, and their words are compared last, because that costs most: `offset 0` keeps this order.
 */
function newestOf(
  parts: Parts,
  { condition, parts: split }: Compiled,
  { name, isWanted, most }: { name: string; isWanted: string; most: number },
): string[] {
  const newest = (only: string, key = 't.id') => `${tickets(parts, only)} order by ${key} desc limit ${most}`
  // Keeps the planner from reading by the index of ids, which for rare tickets would be read to its end.
  const unindexed = 't.id + 0'
  if (!split || split.ids.length === 0) {
    const { where } = parts.search.parsed
    const mayBeRare = parts.isRanked && asksForWords(where) && where?.kind !== 'or'
    return [`${name} as materialized (${newest(`${isWanted} and ${condition}`, mayBeRare ? unindexed : undefined)})`]
  }
  const { ids, isMet, others } = split
  const few = (n: number) => `${name}_few_${n}`
  const isFew = (n: number) => `(select count(*) <= ${mostFew} from ${few(n)})`
  const read = ids.map((idsOf, n) => {
    const own = (only: string) => `(${idsOf()} and ${only} limit ${mostFew + 1})`
    if (n === 0) return `${few(n)} as materialized ${own(isWanted)}`
    const ofPrevious = `select ticket_id from ${few(n - 1)} where ${isFew(n - 1)}`
    return `${few(n)} as materialized (${ofPrevious} union all ${own(`not ${isFew(n - 1)}`)})`
  })
  const last = ids.length - 1
  const amongFew = newest(`${isFew(last)} and t.id = any(array(select ticket_id from ${few(last)})) and ${condition}`, unindexed)
  const backwards =
    isMet.length === 0
      ? newest(`not ${isFew(last)} and ${condition}`)
      : `select * from (${tickets(parts, `not ${isFew(last)} and ${others()}`)} order by t.id desc offset 0) t where ${isMet.map(sql => sql()).join(' and ')} limit ${most}`
  return [...read, `${name} as materialized ((${amongFew}) union all (${backwards}))`]
}

/** The page of `rows`, and one ticket more, with the keys that order it. */
function pageOf({ order: { keys: sorted, id }, bind }: Parts, rows: string, { after, limit }: Page) {
  const keys = sorted.map((key, index) => ({ ...key, name: `k${index}` }))
  if (after) requireKeys(after, keys)
  const first = firstInOrder(rows, { keys, id, after, most: `${bind(limit + 1)}::int`, projects: '$2::bigint[]', bind })
  return { keys, picked: `${first}, picked as materialized (select *, row_number() over () as n from first)` }
}

/** The folded words of the query, each with its alternatives; empty without alternatives. */
function meantBy({ parsed, reach }: Search, alternatives: Alternatives) {
  return alternatives.size === 0
    ? []
    : plainWords(parsed, reach.projects).map(word => [...foldedWords([word]), ...(alternatives.get(word) ?? [])])
}

/** The id of a ticket, if the query is one word that may be its key. */
function keyIn({ words }: Compiled) {
  return words.length === 1 ? /(\d{1,15})$/.exec(words[0] as string)?.[1] : undefined
}

/**
 * Ranked by where the match is: key, whole title, its beginning, its words, other texts, then similar words in the title and in other texts. Equal
 * ranks: open tickets first, then the newest.
 */
function rankedRows({ search, alternatives, compiled, bind }: Parts, words: string, exactIds: readonly number[]) {
  const exact = bind(exactIds)
  const meant = bind(JSON.stringify(meantBy(search, alternatives)))
  const isAny = hasChoice(search.parsed.where)
  const folded = `search_words(${words}, true)`
  const key = keyIn(compiled)
  const isKey = key === undefined ? 'false' : `(t.id = ${key} or coalesce(lower(t.external_id) = lower(${words}), false))`
  const isInTitle = foldedWords(compiled.words)
    .slice(0, 8)
    .map(word => `(strpos(lower(unaccent(t.title)), ${bind(word)}) > 0)::int`)
  // If one of the words is a project's code, its tickets need not contain that word.
  const { codes } = compiled
  const isCodes = codes.length > 0 && codes.length === compiled.words.length
  const isNeeded = codes.length === 0 || isCodes || isAny ? '' : `and w.word <> all(${bind(foldedWords(codes))}::text[])`
  const isWorded =
    isCodes &&
    `exists (select from ticket_search s where s.organization_id = $1 and s.ticket_id = t.id
    and s.words @@ (${codes.map(code => `search_query(${bind(code)}, '', '', false)`).join(isAny ? ' || ' : ' && ')}))`
  const preferred = [
    ...(key === undefined ? [] : [isKey]),
    ...(isInTitle.length > 0 ? [isInTitle.join(' + ')] : []),
    ...(isWorded ? [isWorded] : []),
  ]
  return `
    select id, phase = 3 as closed, case
      when is_key then 0
      when title = wanted then 1
      when starts_with(title, wanted) then 2
      when ${isAny ? '' : 'not '}exists (select 1 from string_to_table(wanted, ' ') w (word)
        where w.word <> '' ${isNeeded} and strpos(' ' || title, ' ' || w.word) ${isAny ? '>' : '='} 0) then 3
      ${isWorded ? `when not ${isWorded} then 5` : ''}
      when ${meant}::jsonb = '[]' or id = any(${exact}::bigint[]) then 4
      when not exists (select 1 from jsonb_array_elements(${meant}::jsonb) one where not exists (
        select 1 from jsonb_array_elements_text(one) w where strpos(' ' || title, ' ' || w) > 0)) then 5
      else 6 end as rank
    from (
      select t.id, t.phase, t.is_key, search_words(t.title, true) as title, ${folded} as wanted from (
        select t.id, t.phase, t.title, ${isKey} as is_key from found t
        order by ${[...preferred, 't.id'].map(each => `${each} desc`).join(', ')} limit ${collected}
      ) t
    ) t`
}
