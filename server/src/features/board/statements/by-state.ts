import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { memoize } from '../../../db/db.ts'
import { json, nullable, type RowOf } from '../../../db/shape.ts'
import { JsonText } from '../../../http/json/json-text.ts'
import { reading } from '../../../lib/authorize.ts'
import { invalid, notFound } from '../../../lib/failure.ts'
import { columnsAnswer, columnsRow, valuesText } from '../../tickets/columns/column-values.ts'
import { requireKnown, shownColumns } from '../../tickets/columns/list-columns.ts'
import { isFiltered } from '../../tickets/finding/filters.ts'
import { pathRow, pathsAnswer } from '../../tickets/finding/found-page.ts'
import {
  blockedAnswer,
  blockedRow,
  type ListedTickets,
  listAnswer,
  listRow,
  listText,
  pageColumns,
  readTickets,
} from '../../tickets/pages/list-rows.ts'
import { ancestors } from '../../tickets/ticket-tree.ts'
import { requireValue } from '../columns/board-columns.ts'
import { readBoardCursor, writeBoardCursor } from '../columns/board-cursor.ts'
import { perColumn, perColumnOf, usualLimit } from '../columns/column-limit.ts'

// A board by state with no other filters than state, phase and type: the index `ticket_board` has each state's tickets in the order of the board, so
// only those that are returned are read, and `ticket_tally` has the totals. One statement, as for a list.

type Input = Request<typeof queryBoard>

export function isByState(input: Input) {
  const { Group, Lanes, Phases: _, States: __, Types: ___, ...rest } = input
  return Group === 'State' && Lanes === undefined && !isFiltered(rest)
}

const rows = {
  ...listRow,
  ...blockedRow,
  /** Every state of the project, in the order of the board. */
  columns: nullable(json<[id: number, name: string, phase: Phase, tickets: number, limit: number | null, holds: boolean][]>()),
  /** The rank of each ticket as text and the ticket before it, in the order of `tickets`. */
  places: nullable(json<[rank: string, before: number | null][]>()),
}
type Answer = RowOf<typeof rows> & Partial<RowOf<typeof columnsRow> & RowOf<typeof pathRow>>

const rank = (t: string) => `coalesce(${t}.rank, -${t}.id)`
const inState = (t: string, state: string) =>
  `${t}.organization_id = $1 and ${t}.project_id = $5 and ${t}.state_id = ${state} and ${t}.trashed_at is null`

const isShown = `state.organization_id = $1 and state.project_id = $5
  and ($6::smallint[] is null or state.phase = any($6)) and ($7::bigint[] is null or state.id = any($7)) and ($8::bigint is null or state.id = $8)`

/** `limit` is the number of tickets of each column and one more, or the parameter with it; empty for the tickets that $10 names. */
const boardStatement = memoize((columns: string, keys: string, limit: string, filtered: boolean, typed: boolean) => {
  const shown = columnsAnswer(columns, '$5', 'scope.user_id', keys)
  const ofType = (t: string) => (typed ? `${t}.template_id = any($9::bigint[])` : 'true')
  const tickets = `select ${pageColumns}, ${rank('t')} as at from ticket t where ${inState('t', 'state.id')} and ${ofType('t')}`
  // The limit of a request is constant in the text, that of a board with many columns is known only here.
  const most = `(select ${perColumnOf(`${limit} - 1`)} + 1 from state where ${isShown})`
  const ofColumn = limit
    ? `select * from (${tickets} and ${rank('t')} > $10::numeric order by at limit ${limit}) t order by at limit ${most}`
    : `${tickets} and t.id = any($10::bigint[])`
  const from = `from state cross join lateral (${ofColumn}) t where ${isShown}`
  const before = limit
    ? 'null::bigint'
    : `(select b.id from ticket b where ${inState('b', 't.state_id')} and ${ofType('b')} and ${rank('b')} < t.at order by ${rank('b')} desc limit 1)`
  return reading(
    'project',
    { ...rows, ...(shown && columnsRow), ...(filtered && pathRow) },
    `with ${filtered ? 'recursive ' : ''}page as materialized (select t.*, ${before} as before ${from})
    ${filtered ? `, ${ancestors}` : ''}
    select (select json_agg(json_build_array(s.id, s.name, s.phase, coalesce((select sum(c.tickets) from ticket_tally c
        where c.organization_id = $1 and c.project_id = $5 and c.state_id = s.id
          and ($9::bigint[] is null or c.template_id = any($9))), 0), s.board_limit, s.limit_holds) order by s.phase, s.position, s.id)
      from state s where s.organization_id = $1 and s.project_id = $5) as columns,
    (select json_agg(json_build_array(page.at::text, page.before) order by page.at) from page) as places,
    ${filtered ? `${pathsAnswer},` : ''}
    ${listAnswer('$5', 'scope.user_id', 'at')}${blockedAnswer}${shown}`,
  )
})

/** Common sizes are constants in the text, so that PostgreSQL plans for that number of rows. */
const usualLimits = new Set<number>([usualLimit, limits.boardColumn])

export function readByState(input: Input) {
  requireValue(input)
  const { Phases, States, Types, Value, Cursor, Tickets, Limit = usualLimit } = input
  const after = readBoardCursor(Cursor)
  if (after && Value === undefined) throw invalid('Value', 'is required with a cursor')
  const { columns, keys } = shownColumns(input)
  const isUsual = usualLimits.has(Limit)
  const parameters = [
    Phases?.length ? Phases : null,
    States?.length ? States : null,
    Value ?? null,
    Types?.length ? Types : null,
    Tickets ?? after?.rank ?? '-Infinity',
    ...(Tickets || isUsual ? [] : [Limit + 1]),
  ]
  const rows = isUsual ? String(Limit + 1) : `$${5 + parameters.length}`
  const limit = Tickets ? '' : rows
  const keysAt = keys.length > 0 ? `$${6 + parameters.length}` : ''
  return {
    statement: boardStatement(columns, keysAt, limit, isFiltered(input), Boolean(Types?.length)),
    parameters: keysAt ? [...parameters, keys] : parameters,
  }
}

export function answerByState(input: Input, page: Answer) {
  const { Value, Tickets, Columns, States, Phases, Types, Limit = usualLimit } = input
  const states = page.columns ?? []
  if (States?.some(id => !states.some(([state]) => state === id))) throw notFound()
  if (Types?.some(id => !page.templates?.some(([template]) => template === id))) throw notFound()
  requireKnown(Columns ? { Columns } : {}, new Set(page.known))
  const listed = readTickets(page)
  const placeOf = new Map(listed.ids.map((id, index) => [id, page.places?.[index] ?? ['0', null]] as const))
  const values = Columns?.length ? valuesText(Columns, page) : () => ''
  const paths = new Map(page.paths)
  const path = (id: number) => (isFiltered(input) ? `,"Path":${JSON.stringify(paths.get(id) ?? [])}` : '')
  const after = (id: number) => (Tickets ? `,"After":${placeOf.get(id)?.[1] ?? null}` : '')
  const more = (id: number) => `,"idProject":${input.idProject}${path(id)}${values(id)}${after(id)}`
  const ofState = Map.groupBy(listed.ids.keys(), index => listed.stateIds[index])
  const answered = states.filter(([id]) => Value === undefined || id === Value)
  const shown = new Set(
    answered
      .filter(([id, , phase]) => (!States?.length || States.includes(id)) && (!Phases?.length || Phases.includes(phase)))
      .map(([id]) => id),
  )
  const columns = answered.map(([id, name, phase, tickets, columnLimit, holds]) => {
    const own = some(listed, ofState.get(id) ?? [])
    const most = Tickets ? own.ids.length : perColumn(Limit, shown.size)
    const last = own.ids.length > most ? own.ids[most - 1] : undefined
    const next = last === undefined ? null : writeBoardCursor({ lane: null, rank: placeOf.get(last)?.[0] ?? '0', id: last })
    const limit = columnLimit === null ? '' : `"Limit":${columnLimit},${holds ? '"LimitHolds":1,' : ''}`
    return `{"Value":${id},"Label":${JSON.stringify(name)},"Phase":${phase},"Total":${shown.has(id) ? tickets : 0},${limit}"Tickets":${listText(page, own, most, more)},"NextCursor":${JSON.stringify(next)}}`
  })
  return new JsonText(`{"Columns":[${columns.join()}]}`)
}

/** The tickets at these indexes. */
function some({ ids, templateIds, stateIds, parentIds, titles }: ListedTickets, indexes: readonly number[]): ListedTickets {
  const of = <T>(list: readonly T[]) => indexes.map(index => list[index] as T)
  return { ids: of(ids), templateIds: of(templateIds), stateIds: of(stateIds), parentIds: of(parentIds), titles: of(titles) }
}
