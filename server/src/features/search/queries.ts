import type { Response } from '@tessera/contract/call'
import type { TicketLabel } from '@tessera/contract/projects/labels'
import { propertyType } from '@tessera/contract/projects/project-config'
import { nearestNames, queryNames, sortNames } from '@tessera/contract/query-language/names'
import { type Parsed, parse } from '@tessera/contract/query-language/parse'
import { matchesOf, QueryError } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { type Db, memoize, run, shortRead, sqlState, statement, unpreparedStatement, usualSeconds } from '../../db/db.ts'
import { json, text } from '../../db/shape.ts'
import type { ProjectScope, SessionScope } from '../../lib/authorize.ts'
import { Failure, invalid, notFound } from '../../lib/failure.ts'
import { everyPermission } from '../../lib/proofs.ts'
import { inTransaction } from '../../lib/transaction.ts'
import { columnsAnswer, columnsRow, columnValues } from '../tickets/columns/queries.ts'
import { shownColumns } from '../tickets/columns/rules.ts'
import { isBlocked } from '../tickets/links/queries.ts'
import { ancestors, trashedAnswer, trashedRow } from '../tickets/queries.ts'
import { type Clock, clockIn } from './dates/rules.ts'
import type { FieldOfKey } from './fields/rules.ts'
import { compile, type Reach, type ReachedProject } from './rules.ts'
import { orderOf } from './sorting/rules.ts'

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
function queryFailure(message: string, Position: number, Length: number, Nearest: readonly string[]) {
  return new Failure('query', message, { current: { Position, Length, Nearest } })
}

export function clockOf(zone = 'UTC'): Clock {
  const clock = clockIn(zone)
  if (!clock) throw notZone()
  return clock
}
function notZone() {
  return invalid('Zone', 'is not a time zone, such as Europe/Berlin')
}

/** Runs a statement that uses the clock's time zone. The database's list of time zones may be older than ours. */
export async function inZone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sqlState(error) === '22023' ? notZone() : error
  }
}

const reachRow = {
  projects: json<ReachedProject[]>(),
  fields: json<(FieldOfKey & { due: boolean })[]>(),
}
/** $2 the caller, $3 whether an admin, $4 one project or null, $5 keys in lower case. */
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
        and (lower(f.key) = any($5) or 'due' = any($5) and f.key = v.due_field_key)), '[]') end as fields`,
)

/**
 * The projects that the caller may see and the fields that the query and `columns` name; 400 for a name in the query that none of them has. 404 where the
 * searcher's one project is not seen.
 */
export async function reachOf(db: Db, searcher: Searcher, parsed: Parsed, columns: readonly string[] = []): Promise<Reach> {
  const { organizationId, userId, admin, projectId } = searcher
  const isBuiltIn = (name: string) => name !== 'due' && (queryNames as readonly string[]).includes(name)
  const used = [...matchesOf(parsed.where), ...parsed.sort]
  const names = [...new Set([...used.map(({ name }) => name).filter(name => !isBuiltIn(name)), ...columns])]
  const keys = [...new Set(names.map(name => name.toLowerCase()))]
  const [row] = await run(db, reachStatement, [organizationId, userId, admin, projectId ?? null, keys])
  const fields = new Map(names.map(name => [name, fieldsNamed(name, row?.fields ?? [])]))
  const reach = { isAdmin: admin, projects: row?.projects ?? [], fields }
  if (projectId !== undefined && reach.projects.length === 0) throw notFound()
  const unknown = used.find(({ name }) => name !== 'due' && fields.get(name)?.length === 0)
  if (unknown) {
    const all = await run(db, allKeys, [organizationId, reach.projects.map(({ id }) => id)])
    const span = parsed.spanOf(unknown)
    const known = parsed.sort.some(term => term === unknown) ? sortNames : queryNames
    const nearest = nearestNames(unknown.name, [...known, ...all.map(({ key }) => key)])
    throw queryFailure(`There is nothing named '${unknown.name}'`, span.position, span.length, nearest)
  }
  return reach
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

/** Runs a statement of a query; refused if the database works on it for too long. `advice` says what else helps than to narrow the query. */
export async function withinTime<T>(
  db: Db,
  query: string,
  work: (db: Db) => Promise<T>,
  { secondsAllowed = 2, advice = '' } = {},
): Promise<T> {
  try {
    return await inTransaction(db, async transaction => {
      await run(transaction, limitTime(secondsAllowed), [])
      const found = await inZone(() => work(transaction))
      // The rest of the caller's transaction has the usual time limit.
      if (db.isTransaction) await run(transaction, usualTime, [])
      return found
    })
  } catch (error) {
    throw refusedIfSlow(error, query, secondsAllowed, advice)
  }
}

/** The refusal for a statement that was cancelled: without a query 422, else 400 with the whole query marked as the error. Other errors stay. */
function refusedIfSlow(error: unknown, query: string, secondsAllowed: number, advice: string) {
  // On a busy machine, the connection may be closed before the server has cancelled the statement.
  const isSlow = sqlState(error) === '57014' || (error instanceof Error && error.message === 'Query read timeout')
  if (!isSlow) return error
  const message = `This took longer than ${secondsAllowed} seconds and was cancelled: ${advice}narrow it by `
  if (query.trim() === '') return new Failure('rule', `${message}a filter or a query`)
  return queryFailure(`${message}a state, a label or another word`, 0, query.length, [])
}

/** The same for a statement without a query: it has the usual limit of a connection, which needs no transaction to set. */
export function withinUsualTime<T>(answer: Promise<T>, advice = ''): Promise<T> {
  return answer.catch(error => {
    throw refusedIfSlow(error, '', usualSeconds, advice)
  })
}

const limitTime = (seconds: number) => unpreparedStatement({}, `set local statement_timeout = '${seconds}s'`)
const usualTime = unpreparedStatement({}, 'set local statement_timeout to default')

type FoundTicket = Response<typeof searchTickets>['Tickets'][number]

// ── Rows ────────────────────────────────────────────────────────────────────

/** The same rows as those of `query-tickets`, of any of the projects, in the order of the ids. $4 are the keys of fields, $5 the projects. */
const rowsStatement = memoize((columns: string, hasKeys: boolean) => {
  const shown = columnsAnswer(columns, 'any($5::bigint[])', '$3', hasKeys ? '$4' : '')
  return shortRead(
    { rows: json<FoundTicket[]>(), ...trashedRow, ...(shown && columnsRow) },
    `
  with recursive page as materialized (
    select t.id, t.project_id, t.template_id, t.state_id, t.title, t.parent_id, o.position
    from unnest($2::bigint[]) with ordinality as o (id, position)
    join ticket t on t.organization_id = $1 and t.id = o.id
  ), ${ancestors}
  select coalesce((select json_agg(json_build_object('id', t.id, 'pcode', p.short_code, 'Type', coalesce(tp.name, ''), 'Phase', coalesce(st.phase, 1), 'State', coalesce(st.name, ''),
    'Title', t.title, 'UserAssigned', (exists (select 1 from assignment a where a.organization_id = $1 and a.ticket_id = t.id and a.user_id = $3))::int,
    'SubordinateProposedCount', coalesce(c.proposed, 0), 'SubordinateActiveCount', coalesce(c.active, 0), 'SubordinateInactiveCount', coalesce(c.inactive, 0),
    'idParent', t.parent_id,
    'Labels', coalesce((select json_agg(json_build_object('idLabel', l.id, 'Label', l.name, 'Color', l.color) order by lower(unaccent(l.name)), l.id)
      from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id where tl.organization_id = $1 and tl.ticket_id = t.id), '[]'),
    'Blocked', (${isBlocked})::int,
    'Path', coalesce(path.path, '[]'),
    'idProject', t.project_id) order by t.position)
  from page t
  join project p on p.organization_id = $1 and p.id = t.project_id
  left join template tp on tp.organization_id = $1 and tp.id = t.template_id
  left join state st on st.organization_id = $1 and st.id = t.state_id
  left join ticket_subordinate c on c.organization_id = $1 and c.ticket_id = t.id
  left join (
    select up.ticket_id, json_agg(json_build_object('id', up.id, 'Title', up.title) order by up.depth desc) as path from up group by up.ticket_id
  ) path on path.ticket_id = t.id), '[]') as rows${trashedAnswer}${shown}`,
  )
})
export async function ticketRows(
  db: Db,
  { organizationId, userId }: Searcher,
  { projects }: { projects: readonly Pick<ReachedProject, 'id'>[] },
  ids: readonly number[],
  Columns: readonly string[] = [],
): Promise<FoundTicket[]> {
  if (ids.length === 0) return []
  const { columns, keys } = shownColumns({ Columns: [...Columns] })
  const given = [organizationId, ids, userId, ...(keys.length > 0 ? [keys, projects.map(({ id }) => id)] : [])]
  const [answer] = await run(db, rowsStatement(columns, keys.length > 0), given)
  if (!answer) return []
  const trashed = new Set(answer.trashed)
  const rows = answer.rows.map(row => (trashed.has(row.id) ? { ...row, Trashed: 1 as const } : row))
  if (Columns.length === 0) return rows
  const labels = rows.flatMap(({ id, Labels }) => Labels.map((label): [number, TicketLabel] => [id, label]))
  const valuesOf = columnValues(Columns, { ...answer, labels })
  return rows.map(row => ({ ...row, Values: valuesOf(row.id) }))
}
