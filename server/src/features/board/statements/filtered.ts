import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import type { Bind } from '../../../lib/bind.ts'
import { type Group, valuesOf } from '../columns/board-columns.ts'
import type { BoardPosition } from '../columns/board-cursor.ts'
import { boardText } from './board-text.ts'
import { afterCursor, lanesOf, lanesText } from './lanes.ts'

/** SQL of any board: all matching tickets are read and counted. For the position of some tickets, their columns are sorted, else see `lanesText`. */
export function filteredStatement(
  input: Request<typeof queryBoard>,
  group: Group,
  conditions: readonly string[],
  after: BoardPosition | undefined,
  bind: Bind,
) {
  const { Value, Lanes } = input
  const wanted = Value === undefined ? 'true' : `value = ${bind(String(Value))}`
  const tickets = input.Tickets && `id = any(${bind(input.Tickets)}::bigint[])`
  const isSorted = tickets ? `value in (select value from placed where ${tickets})` : 'true'
  const follows = afterCursor(after, Lanes, bind)
  return boardText({
    counted: `found as not materialized (
      select t.id, t.state_id, t.parent_id, coalesce(t.rank, -t.id) as rank from ticket t
      where ${['t.organization_id = $1', 't.project_id = $2', ...conditions].join(' and ')}
    ), placed as materialized (
      select found.id, found.parent_id, found.rank, coalesce(v.value, '') collate "C" as value from found ${valuesOf('found', group, bind)}
    ), counted as materialized (
      select value, count(*)::int as total from placed where ${wanted} group by value
    )`,
    first: Lanes
      ? lanesText({
          kind: Lanes,
          laned: `select placed.id, placed.value, placed.rank, ${lanesOf[Lanes].id} as lane_id from placed ${lanesOf[Lanes].ofTicket}`,
          isWanted: `${wanted} and ${isSorted}`,
          isCut: tickets === undefined,
          follows,
          others: columns =>
            `select id, value, rank from placed where ${lanesOf[Lanes].isNone} and value in (select value from ${columns}) and ${follows('rank', 'id')}`,
          hasOthers: `select from placed where ${lanesOf[Lanes].isNone}`,
        })
      : `first as not materialized (select id, value, rank from placed where ${wanted} and ${isSorted} and ${follows('rank', 'id')})`,
    group,
    hasLanes: Lanes !== undefined,
    tickets,
  })
}
