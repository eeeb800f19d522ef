import type { Request, Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/tickets/board'
import { type Db, run, unpreparedStatement } from '../../db/db.ts'
import { json } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { invalid } from '../../lib/failure.ts'
import { clockOf, reachOf, readQuery, ticketRows, withinTime, withinUsualTime } from '../search/queries.ts'
import { trashCondition } from '../search/rules.ts'
import { filterConditions } from '../tickets/finding/queries.ts'
import { idLikeOf } from '../tickets/finding/rules.ts'
import { answerByState, isByState, readByState } from './by-state/queries.ts'
import { byValueStatement, isByValue } from './by-value/queries.ts'
import { type Group, lookUp } from './queries.ts'
import { type BoardPosition, nameOf, perColumn, perColumnOf, readBoardCursor, requireValue, usualLimit, writeBoardCursor } from './rules.ts'

type Column = Response<typeof contract.queryBoard>['Columns'][number]

/** A column's tickets as read from the database. */
interface Found {
  value: string
  /** A person's name. */
  name: string | null
  total: number
  /** One more than requested when others follow. */
  ids: number[]
  before: (number | null)[]
  /** Of the last requested one. */
  lane: string
  rank: string
}

export const queryBoard = implementWith(
  contract.queryBoard,
  { read: input => (isByState(input) ? readByState(input) : undefined) },
  async ({ db, scope, input, row }) => (row ? answerByState(input, row) : await placedBoard(db, scope, input)),
)

/** A board that is not simply by state. */
async function placedBoard(
  db: Db,
  scope: ProjectScope,
  input: Request<typeof contract.queryBoard>,
): Promise<Response<typeof contract.queryBoard>> {
  const known = await lookUp(db, scope, input)
  requireValue(input)
  const query = input.Query ?? ''
  const parsed = query.trim() === '' ? undefined : readQuery(query)
  const asked = parsed && { parsed, reach: await reachOf(db, scope, parsed), clock: clockOf(input.Zone) }
  const after = readBoardCursor(input.Cursor)
  if (after && input.Value === undefined) throw invalid('Value', 'is required with a cursor')
  const limit = input.Limit ?? usualLimit

  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId, limit + 1]
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const { group } = known
  const text = isByValue(input)
    ? byValueStatement(input, group, after, bind)
    : placedStatement(
        input,
        group,
        [trashCondition(asked, bind), ...filterConditions(input, { names: known.names, asked }, idLikeOf(known.shortCode, input), bind)],
        after,
        bind,
      )
  const boardStatement = unpreparedStatement({ columns: json<Found[]>(), lanes: json<(number | null)[]>() }, text)
  const read = (from: Db) => run(from, boardStatement, parameters)
  const advice = input.Lanes ? 'switch off the lanes, or ' : ''
  const [answer] = await (asked ? withinTime(db, query, read, { advice }) : withinUsualTime(read(db), advice))
  const found = new Map(answer?.columns.map(column => [column.value, column]))
  const most = perColumn(limit, found.size)
  // With `Tickets` all that were found are returned, and nothing follows.
  const shownOf = ({ ids }: Found) => (input.Tickets ? ids : ids.slice(0, most))
  const ids = [...new Set([...found.values()].flatMap(shownOf))]
  const rows = new Map((await ticketRows(db, scope, { projects: [{ id: scope.projectId }] }, ids, input.Columns)).map(row => [row.id, row]))
  return {
    Columns: columnsOf(group, [...found.values()])
      .filter(({ key }) => input.Value === undefined || key === String(input.Value))
      .map(({ key, ...column }) => {
        const own = found.get(key)
        const ofColumn = own ? shownOf(own) : []
        const last = ofColumn.at(-1)
        const tickets = ofColumn.flatMap((id, index) => {
          const row = rows.get(id)
          return row ? [input.Tickets ? { ...row, After: own?.before[index] ?? null } : row] : []
        })
        const isCut = own !== undefined && own.ids.length > ofColumn.length && last !== undefined
        const NextCursor = isCut ? writeBoardCursor({ lane: own.lane, rank: own.rank, id: last }) : null
        return { ...column, Total: own?.total ?? 0, Tickets: tickets, NextCursor }
      }),
    ...(input.Lanes && answer && { Lanes: answer.lanes }),
  }
}

/**
 * SQL of any board: reads all of its tickets, to count and order them. Sorting costs most: lanes have tickets without a parent last, so these are
 * sorted only in columns that the others do not fill; for the position of some tickets, only their columns are sorted.
 */
function placedStatement(
  input: Request<typeof contract.queryBoard>,
  group: Group,
  conditions: readonly string[],
  after: BoardPosition | undefined,
  bind: (value: unknown) => string,
) {
  const hasLanes = input.Lanes !== undefined
  const tickets = input.Tickets && `id = any(${bind(input.Tickets)}::bigint[])`
  const isSorted = tickets ? `value in (select value from wanted where ${tickets})` : hasLanes ? isNeededWithLanes : 'true'
  return `
  with found as ${hasLanes ? 'materialized' : 'not materialized'} (
    select t.id, t.state_id, t.parent_id, coalesce(t.rank, -t.id) as rank from ticket t
    where ${['t.organization_id = $1', 't.project_id = $2', ...conditions].join(' and ')}
  ), ${hasLanes ? lanesFound : ''} placed as materialized (
    select found.id, ${hasLanes ? 'lanes.lane' : '0::numeric as lane'}, found.rank, coalesce(v.value, '') collate "C" as value
    from found ${hasLanes ? 'left join lanes on lanes.parent_id = found.parent_id' : ''} ${valuesOf(group, bind)}
  ), wanted as not materialized (
    select id, value, lane, rank from placed where ${wantedOf(input, after, bind)}
  ), counted as materialized (
    select value, count(*)::int as total from placed where ${input.Value === undefined ? 'true' : `value = ${bind(String(input.Value))}`} group by value
  ), most as (
    select ${perColumnOf('$4::int - 1')} as n from counted
  ), numbered as (
    select id, value, lane, rank, row_number() over by_rank as n, lag(id) over by_rank as before from wanted
    where ${isSorted}
    window by_rank as (partition by value order by ${hasLanes ? 'lane, ' : ''}rank, id desc)
  ), page as materialized (
    select * from numbered where ${tickets ?? 'n <= (select most.n from most) + 1'}
  )
  select coalesce((
    select json_agg(json_build_object('value', p.value, 'name', p.name, 'total', p.total, 'ids', coalesce(n.ids, '[]'),
      'before', coalesce(n.before, '[]'), 'lane', coalesce(n.lane, '0'), 'rank', coalesce(n.rank, '0')) order by lower(unaccent(p.name)), p.value)
    from (
      select value, total, ${group.kind === 'Assignee' ? nameOf('value') : 'null::text'} as name from counted
    ) p
    left join (
      select value, json_agg(id order by n) as ids, json_agg(before order by n) as before,
        (array_agg(coalesce(lane, 'Infinity')::text order by n desc) filter (where n <= (select most.n from most)))[1] as lane,
        (array_agg(rank::text order by n desc) filter (where n <= (select most.n from most)))[1] as rank
      from page group by value
    ) n on n.value = p.value
  ), '[]') as columns, ${hasLanes ? lanesInOrder : "'[]'::json"} as lanes
  from (select $3::bigint as id) caller`
}

/** SQL: the parents of the tickets found, each with the position of its lane. Tickets without a parent have a row of nulls, which comes last. */
const lanesFound = `lanes as materialized (
    select one.parent_id, coalesce(above.rank, -above.id) as lane
    from (select distinct parent_id from found) one left join ticket above on above.organization_id = $1 and above.id = one.parent_id
  ),`
const lanesInOrder = "(select coalesce(json_agg(parent_id order by lane), '[]') from lanes)"
const isNeededWithLanes = `(lane is not null or value not in (
      select value from wanted where lane is not null group by value having count(*) > (select most.n from most)
    ))`

/** SQL: a row `v` with the `value` of each column that ticket `found` is in; no row if it has no value. */
function valuesOf({ kind, fieldId }: Group, bind: (value: unknown) => string) {
  if (kind === 'State') return 'left join lateral (select found.state_id::text as value) v on true'
  // Somebody may hold several roles on a ticket.
  if (kind === 'Assignee')
    return `left join (
      select a.ticket_id, a.user_id::text as value from assignment a where a.organization_id = $1 and a.project_id = $2 and not exists (
        select from assignment b where b.organization_id = $1 and b.ticket_id = a.ticket_id and b.user_id = a.user_id and b.role_id < a.role_id)
      ) v on v.ticket_id = found.id`
  return `left join ticket_value v on v.organization_id = $1 and v.ticket_id = found.id and v.field_id = ${bind(fieldId)}::bigint and v.value <> ''`
}

/** SQL: which placed tickets are in the answer: all of the one column, or those after the cursor. */
function wantedOf({ Value }: Request<typeof contract.queryBoard>, after: BoardPosition | undefined, bind: (value: unknown) => string) {
  if (Value === undefined) return 'true'
  const ofColumn = `value = ${bind(String(Value))}`
  if (!after) return ofColumn
  const { lane, rank, id } = after
  return `${ofColumn} and (coalesce(lane, 'Infinity'), rank, -id) > (${bind(lane)}::numeric, ${bind(rank)}::numeric, -${bind(id)}::bigint)`
}

/** Every column of the board, in its order, including empty ones and those of values that are no longer an option. */
function columnsOf(
  { kind, states, options }: Group,
  found: readonly Found[],
): (Pick<Column, 'Value' | 'Label' | 'Phase' | 'Limit' | 'LimitHolds'> & { key: string })[] {
  if (kind === 'State')
    return states.map(({ id, name, phase, limit, holds }) => ({
      key: String(id),
      Value: id,
      Label: name,
      Phase: phase,
      ...(limit !== null && { Limit: limit }),
      ...(limit !== null && holds && { LimitHolds: 1 as const }),
    }))
  const none = { key: '', Value: '', Label: '' }
  const present = found.filter(({ value }) => value !== '')
  if (kind === 'Assignee') return [none, ...present.map(({ value, name }) => ({ key: value, Value: Number(value), Label: name ?? '' }))]
  const known = new Set(options.map(({ value }) => value))
  const strange = present.filter(({ value }) => !known.has(value)).map(({ value }) => ({ value, label: value }))
  return [none, ...[...options, ...strange].map(({ value, label }) => ({ key: value, Value: value, Label: label }))]
}
