import { limits } from '@tessera/contract/limits'
import { phaseValues } from '@tessera/contract/query-language/names'
import { type Parsed, parse } from '@tessera/contract/query-language/parse'
import { valueText } from '@tessera/contract/query-language/print'
import { type Match, matchesOf, QueryError, type Value } from '@tessera/contract/query-language/tree'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { as, bool, int8, nullable, text } from '../../db/shape.ts'
import { caseless, isNone } from '../search/conditions/comparisons.ts'

/** What queries name by its text: `label:late`. */
interface Renaming {
  kind: 'label' | 'state' | 'type'
  /** The former names, of one project; null for a label of the organization, which queries of all its projects may name. Several when labels are merged. */
  from: readonly { projectId: number | null; name: string }[]
  to: string
}

/** A stored query that was rewritten. */
export interface Rewritten {
  store: 'view' | 'feed' | 'search'
  id: number
  before: string
  after: string
}

/** A word of a stored query that was the former name. */
interface Meaning {
  /** Null in a search over all projects. */
  projectId: number | null
  word: string
  /** Something else has the name too; in a search over all projects, anything in one of them. */
  isShared: boolean
}

/**
 * Rewrites the saved views and calendar feeds that name what was renamed, so that they find the same tickets as before; of the saved searches over all
 * projects only for a label of the organization, because a project's words are not for all who read them. Other queries keep every character. Call it
 * after the renaming, in its transaction. Where something else has the former name too, a query gets both names.
 */
export async function rewriteQueries(db: Db, organizationId: number, renaming: Renaming): Promise<Rewritten[]> {
  const done: Rewritten[] = []
  // What somebody else changed between reading and writing is read again: a state may be renamed at the same time.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const rewritten = await rewrittenQueries(db, organizationId, renaming)
    const replaced = await replaceQueries(db, organizationId, rewritten)
    done.push(...rewritten.filter(({ store, id }) => replaced.has(`${store} ${id}`)))
    if (replaced.size === rewritten.length) break
  }
  return done
}

/** The queries that the renaming changes, as they are and as they will be. */
async function rewrittenQueries(db: Db, organizationId: number, renaming: Renaming): Promise<Rewritten[]> {
  const { kind } = renaming
  const projectId = projectOf(renaming)
  const inScope = projectId === null ? sql`` : sql`and project_id = ${projectId}`
  const naming = sql`organization_id = ${organizationId} and query ilike ${`%${kind}:%`}`
  const rows = await queryRows(db, { store: as<Rewritten['store']>(text), id: int8, projectId: nullable(int8), query: text })`
    select 'view' as store, id, project_id as "projectId", query from ticket_view where ${naming} ${inScope}
    union all select 'feed', id, project_id, query from calendar_feed where ${naming} ${inScope}
    union all select 'search', id, null::bigint, query from saved_search where ${naming} and ${projectId === null}::boolean`
  const stored = rows.flatMap(row => {
    const parsed = parsedOf(row.query)
    return parsed ? [{ ...row, spanOf: parsed.spanOf, matches: matchesOf(parsed.where).filter(({ name }) => name === kind) }] : []
  })
  const words = stored.flatMap(({ projectId, matches }) =>
    matches.flatMap(({ values }) => values.filter(isName).map(value => ({ projectId, word: value.text }))),
  )
  if (words.length === 0) return []

  const meanings = new Map<string, Meaning>()
  for (const meaning of await meaningsOf(db, organizationId, renaming, words)) meanings.set(keyOf(meaning), meaning)
  return stored.flatMap(({ store, id, projectId, query, spanOf, matches }) => {
    const namesFor = (value: Value, written: string) => {
      const meaning = isName(value) && meanings.get(keyOf({ projectId, word: value.text }))
      if (!meaning) return [written]
      return meaning.isShared || isPhase(kind, value) ? [written, nameText(renaming)] : [nameText(renaming)]
    }
    const after = matches.toReversed().reduce((now, match) => withValues(now, match, spanOf, namesFor), query)
    return after === query || after.length > limits.queryLength ? [] : [{ store, id, before: query, after }]
  })
}

/** Replaces those of the queries that nobody has changed meanwhile; returns which, as `view 5`. */
export async function replaceQueries(db: Db, organizationId: number, queries: readonly Rewritten[]): Promise<ReadonlySet<string>> {
  if (queries.length === 0) return new Set()
  const rows = await queryRows(db, { replaced: text })`
    with given as materialized (
      select * from unnest(${queries.map(({ store }) => store)}::text[], ${queries.map(({ id }) => id)}::bigint[],
        ${queries.map(({ before }) => before)}::text[], ${queries.map(({ after }) => after)}::text[]) as g (store, id, before, after)
    ), views as (
      update ticket_view v set query = g.after from given g
      where v.organization_id = ${organizationId} and g.store = 'view' and v.id = g.id and v.query = g.before returning 'view ' || v.id as replaced
    ), feeds as (
      update calendar_feed f set query = g.after from given g
      where f.organization_id = ${organizationId} and g.store = 'feed' and f.id = g.id and f.query = g.before returning 'feed ' || f.id as replaced
    ), searches as (
      update saved_search s set query = g.after from given g
      where s.organization_id = ${organizationId} and g.store = 'search' and s.id = g.id and s.query = g.before returning 'search ' || s.id as replaced
    )
    select replaced from views union all select replaced from feeds union all select replaced from searches`
  return new Set(rows.map(({ replaced }) => replaced))
}

function parsedOf(query: string) {
  try {
    return parse(query)
  } catch (problem) {
    if (problem instanceof QueryError) return undefined
    throw problem
  }
}

function isName(value: Value): value is Extract<Value, { kind: 'text' | 'quoted' }> {
  return value.kind === 'quoted' || (value.kind === 'text' && !isNone(value))
}

/** Without quotation marks, `state:active` finds a phase too. */
function isPhase(kind: Renaming['kind'], value: Value) {
  return kind === 'state' && value.kind === 'text' && phaseValues.includes(value.text.toLowerCase() as never)
}

/** The new name as a query has it. */
function nameText({ kind, to }: Renaming) {
  return isPhase(kind, { kind: 'text', text: to }) ? `"${to}"` : valueText(to)
}

/** The query with other values in one of its matches. */
function withValues(query: string, { values }: Match, spanOf: Parsed['spanOf'], namesFor: (value: Value, written: string) => string[]) {
  const places = values.map(value => ({ value, from: spanOf(value).position, to: spanOf(value).position + spanOf(value).length }))
  const written = places.map(({ value, from, to }) => [value, query.slice(from, to)] as const)
  const names = written.flatMap(([value, text]) => namesFor(value, text))
  if (names.join() === written.map(([, text]) => text).join()) return query
  return query.slice(0, places[0]?.from) + [...new Set(names)].join() + query.slice(places.at(-1)?.to)
}

/** The only project whose queries may name it; null for all of the organization. */
function projectOf({ from }: Renaming) {
  return from.some(({ projectId }) => projectId === null) ? null : (from[0]?.projectId ?? null)
}

function keyOf({ projectId, word }: Pick<Meaning, 'projectId' | 'word'>) {
  return `${projectId} ${word}`
}

/** The rows that a name may mean. */
const tables = { label: 'label', state: 'state', type: 'template' } as const

/**
 * Those of the words, each in its project, that meant what was renamed and do not find it under its new name. As in a search, accents count only where
 * they find something.
 */
async function meaningsOf(db: Db, organizationId: number, renaming: Renaming, words: readonly Pick<Meaning, 'projectId' | 'word'>[]) {
  const { kind, from, to } = renaming
  const projectId = projectOf(renaming)
  const inScope = projectId === null ? sql`` : sql`and (l.project_id = ${projectId} or l.project_id is null)`
  const same = (one: string, other: string) => sql.raw(`(${caseless(one)} = ${caseless(other)})`)
  const isFormer = sql`(f.project_id is null or f.project_id = w.project_id)`
  const isOffered = sql`(a.project_id is null or a.project_id = w.project_id or w.project_id is null)`
  return queryRows(db, { projectId: nullable(int8), word: text, isShared: bool })`
    with former as materialized (
      select project_id, name, search_fold(name) as folded
      from unnest(${from.map(each => each.projectId)}::bigint[], ${from.map(({ name }) => name)}::text[]) as f (project_id, name)
    ), alike as materialized (
      select l.project_id, l.name, search_fold(l.name) as folded from ${sql.table(tables[kind])} l
      where l.organization_id = ${organizationId} ${inScope} and search_fold(l.name) in (select folded from former)
    ), word as materialized (
      select project_id, word, search_fold(word) as folded from (
        select distinct * from unnest(${words.map(word => word.projectId)}::bigint[], ${words.map(({ word }) => word)}::text[]) as u (project_id, word)) one
    )
    select w.project_id as "projectId", w.word,
      exact.found or (not exact.was and exists (select from alike a where ${isOffered} and a.folded = w.folded)) as "isShared"
    from word w cross join (select ${to}::text as name) new
    cross join lateral (
      select exists (select from alike a where ${isOffered} and ${same('a.name', 'w.word')}) as found,
        exists (select from former f where ${isFormer} and ${same('f.name', 'w.word')}) as was
    ) exact
    where (exact.was or (not exact.found and exists (select from former f where ${isFormer} and f.folded = w.folded)))
      and not ${same('new.name', 'w.word')}
      and not (not exact.found and search_fold(new.name) = w.folded and not (exact.was and exists (
        select from alike a where ${isOffered} and a.folded = w.folded and not ${same('a.name', 'new.name')})))`
}
