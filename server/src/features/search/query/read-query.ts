import type { Request } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import { nearestNames, queryNames, sortNames } from '@tessera/contract/query-language/names'
import { type Parsed, parse } from '@tessera/contract/query-language/parse'
import { type Match, matchesOf, partOf, QueryError, type SortTerm } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { type Db, run, statement } from '../../../db/db.ts'
import { json, text, textArray } from '../../../db/shape.ts'
import type { ProjectScope, SessionScope } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { everyPermission } from '../../../lib/proofs.ts'
import { sortedKeys } from '../../tickets/columns/list-columns.ts'
import { isFrequentTitle } from '../../tickets/finding/frequent-title.ts'
import { templateRanks } from '../../tickets/pages/group-order.ts'
import { likeContaining } from '../../tickets/ticket-keys.ts'
import { textOf } from '../conditions/comparisons.ts'
import type { FieldOfKey } from '../conditions/field-condition.ts'
import { clockOf } from '../dates/zone.ts'
import { orderOf } from '../results/search-order.ts'
import { compile, type Reach, type ReachedProject } from './compile-query.ts'

/** The caller of a search, optionally limited to one project. */
export type Searcher = Pick<SessionScope, 'organizationId' | 'userId' | 'admin'> & Partial<Pick<ProjectScope, 'projectId'>>

/** Parses a query; 400 with the position of the error. */
export function readQuery(query: string): Parsed {
  return asBadRequest(() => parse(query))
}

/** Like `readQuery`, but a project that the caller names and may not see is a 404 even if the query has an error. */
export async function readQueryOf(db: Db, searcher: Searcher, query: string): Promise<Parsed> {
  try {
    return readQuery(query)
  } catch (problem) {
    await reachOf(db, searcher, parse(''))
    throw problem
  }
}

/** Turns a `QueryError` of `work` into the answer 400. */
export function asBadRequest<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    throw queryFailure(error.message, error.span.position, error.span.length, error.nearest)
  }
}
export function queryFailure(message: string, Position: number, Length: number, Nearest: readonly string[]) {
  return new Failure('query', message, { current: { Position, Length, Nearest } })
}

const reachRow = {
  projects: json<ReachedProject[]>(),
  fields: json<(FieldOfKey & { due: boolean })[]>(),
  frequent: textArray,
  types: json<[id: number, name: string][]>(),
}
/** $2 the caller, $3 whether an admin, $4 one project or null, $5 keys in lower case, $6 parts of titles as `likeContaining`, $7 whether types are read. */
const reachStatement = statement(
  reachRow,
  `
  with visible as materialized (
    select p.id, p.short_code, p.title, p.due_field_key, case when $3 then ${everyPermission} else coalesce(pm.permissions, 0) end as permissions
    from project p
    left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = $2
    where p.organization_id = $1 and ($3 or pm.permissions & 1 = 1) and ($4::bigint is null or p.id = $4)
  )
  select coalesce((select json_agg(json_build_object('id', id, 'code', short_code, 'title', title, 'permissions', permissions) order by id)
      from visible), '[]') as projects,
    case when cardinality($5::text[]) = 0 then '[]' else coalesce((
      select json_agg(json_build_object('id', f.id, 'projectId', f.project_id, 'key', f.key, 'typeId', f.type_id, 'due',
        f.type_id = ${propertyType.DATE} and f.archived_at is null and f.key = coalesce(v.due_field_key, case when lower(f.key) = 'due' then f.key end)))
      from visible v join field f on f.organization_id = $1 and f.project_id = v.id
        and (lower(f.key) = any($5) or 'due' = any($5) and f.key = v.due_field_key)), '[]') end as fields,
    array(select part from unnest($6::text[]) part where ${isFrequentTitle('part', '$4')}) as frequent,
    case when $7 then (select coalesce(json_agg(json_build_array(tp.id, tp.name)), '[]') from visible v
      join template tp on tp.organization_id = $1 and tp.project_id = v.id) else '[]' end as types`,
)

/** What a request names besides its query. */
interface AlsoNamed {
  /** As a query names them. */
  names?: readonly string[]
  /** By their keys. */
  columns?: readonly string[]
  sort?: Request<typeof searchTickets>['Sort']
}

/**
 * The projects that the caller may see and the fields that are named; 400 for a name in the query that none of them has. 404 where the searcher's one
 * project is not seen.
 */
export async function reachOf(
  db: Db,
  searcher: Searcher,
  parsed: Parsed,
  { names: more = [], columns = [], sort = [] }: AlsoNamed = {},
): Promise<Reach> {
  const { organizationId, userId, admin, projectId } = searcher
  const isBuiltIn = (name: string) => name !== 'due' && (queryNames as readonly string[]).includes(name)
  const used = [...matchesOf(parsed.where), ...parsed.sort]
  const names = [...new Set([...used.map(({ name }) => name).filter(name => !isBuiltIn(name)), ...more])]
  const named = new Set([...columns, ...sortedKeys({ Sort: sort })])
  const keys = [...new Set([...names, ...named].map(name => name.toLowerCase()))]
  const isByType = sort.some(({ Column }) => Column === 'Type') || parsed.sort.some(({ name }) => name === 'type')
  const parts = projectId === undefined ? [] : titlePartsOf(parsed)
  const likes = parts.map(likeContaining)
  const [row] = await run(db, reachStatement, [organizationId, userId, admin, projectId ?? null, keys, likes, isByType])
  const fields = new Map(names.map(name => [name, fieldsNamed(name, row?.fields ?? [])]))
  const reach = {
    isAdmin: admin,
    projects: row?.projects ?? [],
    fields,
    columns: row?.fields.filter(({ key }) => named.has(key)) ?? [],
    typeRanks: templateRanks(new Map(row?.types)),
    frequentTitles: parts.filter(part => row?.frequent.includes(likeContaining(part))),
  }
  if (projectId !== undefined && reach.projects.length === 0) throw notFound()
  const unknown = used.find(({ name }) => name !== 'due' && fields.get(name)?.length === 0)
  if (unknown) throw await unknownName(db, organizationId, reach, parsed, unknown)
  return reach
}

/** The refusal of a name that is neither built in nor a field's. */
async function unknownName(db: Db, organizationId: number, { projects }: Reach, parsed: Parsed, unknown: Match | SortTerm) {
  const { name } = unknown
  const { position, length } = parsed.spanOf(unknown)
  const isInOrder = parsed.sort.some(term => term === unknown)
  const nothing = `There is nothing named '${name}'`
  if (!isInOrder && /^closed$/i.test(name)) {
    const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
    // Decision 093 says why there is no name for it.
    const instead = `tickets closed since a day are found by phase:inactive -phase:inactive@${weekAgo}`
    return queryFailure(`${nothing}; ${instead}`, position, length, [])
  }
  const keys = await run(db, allKeys, [organizationId, projects.map(({ id }) => id)])
  const known = [...(isInOrder ? sortNames : queryNames), ...keys.map(({ key }) => key)]
  return queryFailure(nothing, position, length, nearestNames(name, known))
}

/** What the query looks for anywhere in titles: `title:*part*`. */
function titlePartsOf({ where }: Parsed): string[] {
  const values = matchesOf(where).flatMap(match => (match.name === 'title' ? match.values : []))
  return values.flatMap(value => partOf(textOf(value)) ?? [])
}

/** The fields with this key. Case counts only in a project that has two which differ in nothing else. */
function fieldsNamed<F extends FieldOfKey & { due: boolean }>(name: string, fields: readonly F[]): F[] {
  const lower = name.toLowerCase()
  if (lower === 'due') return fields.filter(({ due }) => due)
  const alike = fields.filter(({ key }) => key.toLowerCase() === lower)
  const exactIn = new Set(alike.filter(({ key }) => key === name).map(({ projectId }) => projectId))
  return alike.filter(({ key, projectId }) => key === name || !exactIn.has(projectId))
}

const allKeys = statement(
  { key: text },
  'select distinct f.key from field f where f.organization_id = $1 and f.project_id = any($2) limit 2000',
)

/** 400 for a query that is not valid in a list of the project. */
export async function requireReadable(db: Db, searcher: Searcher, query: string) {
  const parsed = await readQueryOf(db, searcher, query)
  const reach = await reachOf(db, searcher, parsed)
  const bind = () => ''
  asBadRequest(() => {
    compile(parsed, reach, { projects: '', user: '', bind, clock: clockOf() })
    orderOf(undefined, parsed, reach, bind)
  })
}
