import type { Request, Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/tickets/board'
import { type Db, run, unpreparedStatement } from '../../db/db.ts'
import { json } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { bindTo } from '../../lib/bind.ts'
import { invalid } from '../../lib/failure.ts'
import { trashCondition } from '../search/conditions/trash-condition.ts'
import { clockOf, requireZone } from '../search/dates/zone.ts'
import { reachOf, readQuery } from '../search/query/read-query.ts'
import { withinTime, withinUsualTime } from '../search/query/within-time.ts'
import { ticketRows } from '../search/results/ticket-rows.ts'
import { filterConditions } from '../tickets/finding/found-tickets.ts'
import { queryAsPhases } from '../tickets/finding/query-as-phases.ts'
import { type Group, lookUp, requireValue } from './columns/board-columns.ts'
import { readBoardCursor, writeBoardCursor } from './columns/board-cursor.ts'
import { perColumn, usualLimit } from './columns/column-limit.ts'
import { allTicketsStatement, isOfAllTickets } from './statements/all-tickets.ts'
import { answerByState, isByState, readByState } from './statements/by-state.ts'
import { filteredStatement } from './statements/filtered.ts'

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
  /** With lanes: those of the tickets, and of the ones before them. */
  lanes?: (number | null)[]
  beforeLanes?: (number | null)[]
  /** Of the last requested one. */
  rank: string
}

export const queryBoard = implementWith(
  contract.queryBoard,
  {
    read: given => {
      const input = queryAsPhases(given)
      return isByState(input) ? readByState(input) : undefined
    },
  },
  async ({ db, scope, input: given, row }) => {
    const input = queryAsPhases(given)
    requireZone(input.Zone)
    return row ? answerByState(input, row) : await placedBoard(db, scope, input)
  },
)

/** A board that is not simply by state. */
async function placedBoard(
  db: Db,
  scope: ProjectScope,
  input: Request<typeof contract.queryBoard>,
): Promise<Response<typeof contract.queryBoard>> {
  const known = await lookUp(db, scope, input)
  requireValue(input)
  if (input.Group === 'Assignee' && input.Lanes === 'Assignee') throw invalid('Lanes', 'cannot be by assignee on a board by assignee')
  const query = input.Query ?? ''
  const parsed = query.trim() === '' ? undefined : readQuery(query)
  const asked = parsed && { parsed, reach: await reachOf(db, scope, parsed), clock: clockOf(input.Zone) }
  const after = readBoardCursor(input.Cursor)
  if (after && input.Value === undefined) throw invalid('Value', 'is required with a cursor')
  const limit = input.Limit ?? usualLimit

  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId, limit + 1]
  const bind = bindTo(parameters)
  const { group } = known
  const text = isOfAllTickets(input)
    ? allTicketsStatement(input, group, after, bind)
    : filteredStatement(input, group, [trashCondition(asked, bind), ...filterConditions(input, { ...known, asked }, bind)], after, bind)
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
        return { ...column, ...(own ? contentOf(input, own, shownOf(own), rows) : { Total: 0, Tickets: [], NextCursor: null }) }
      }),
    ...(input.Lanes && answer && { Lanes: answer.lanes }),
  }
}

/** What the answer has of a column: the `shown` ones of its tickets, and where the others begin. */
function contentOf(
  { Tickets, Lanes }: Request<typeof contract.queryBoard>,
  { total, ids, before, lanes, beforeLanes, rank }: Found,
  shown: readonly number[],
  rows: ReadonlyMap<number, Awaited<ReturnType<typeof ticketRows>>[number]>,
): Pick<Column, 'Total' | 'Tickets' | 'NextCursor'> {
  const last = shown.at(-1)
  const isCut = ids.length > shown.length && last !== undefined
  return {
    Total: total,
    Tickets: shown.flatMap((id, index) => {
      const row = rows.get(id)
      if (!row) return []
      const place = Tickets && { After: before[index] ?? null, ...(Lanes && { AfterLane: beforeLanes?.[index] ?? null }) }
      return [{ ...row, ...place, ...(Lanes && { Lane: lanes?.[index] ?? null }) }]
    }),
    NextCursor: isCut ? writeBoardCursor({ lane: lanes?.[shown.length - 1] ?? null, rank, id: last }) : null,
  }
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
