import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import type { Bind } from '../../../lib/bind.ts'
import { personName } from '../../tickets/assignees/person-name.ts'
import type { BoardPosition } from '../columns/board-cursor.ts'

// A lane is a parent, a person or a label of the tickets, and tickets without one come last. Sorting costs most, so only tickets that may be shown are
// sorted: those of each column's first lanes, and those in no lane only in columns that the others do not fill.

export type LaneKind = NonNullable<Request<typeof queryBoard>['Lanes']>

interface LanesOf {
  /** SQL: for a row `placed`, a row for each lane that the ticket is in. */
  ofTicket: string
  /** SQL: the id of that lane. */
  id: string
  /** SQL: whether a row `placed` is in no lane. */
  isNone: string
  /** SQL: joins what the order of lanes depends on, to a row `one` with a `lane_id`. */
  join: string
  /** SQL: the place of that lane among the others; no two have the same. */
  place: string
  /** Lanes are counted in blocks of this size. */
  ofBlock: number
}
// People and labels may have the same name.
const byName = (name: string) => `array[lower(unaccent(${name})), lpad(one.lane_id::text, 19, '0')]`

export const lanesOf: Record<LaneKind, LanesOf> = {
  Parent: {
    ofTicket: 'where placed.parent_id is not null',
    id: 'placed.parent_id',
    isNone: 'placed.parent_id is null',
    join: `left join (
        select id, rank from ticket where organization_id = $1 and project_id = $2 and rank is not null
      ) above on above.id = one.lane_id`,
    place: 'coalesce(above.rank, -one.lane_id)',
    // Parents are many: a count for each lane and column would cost as much as sorting.
    ofBlock: 64,
  },
  Assignee: {
    // Somebody may hold several roles on a ticket.
    ofTicket: `join (
        select distinct ticket_id, user_id from assignment where organization_id = $1 and project_id = $2
      ) held on held.ticket_id = placed.id`,
    id: 'held.user_id',
    isNone: 'not exists (select from assignment held where held.organization_id = $1 and held.ticket_id = placed.id)',
    // Members alone: a cursor may name anybody, and the place tells the name.
    join: `join project_member m on m.organization_id = $1 and m.project_id = $2 and m.user_id = one.lane_id
      join user_account u on u.id = m.user_id`,
    place: byName(personName),
    ofBlock: 1,
  },
  Label: {
    ofTicket: 'join ticket_label carried on carried.organization_id = $1 and carried.ticket_id = placed.id',
    id: 'carried.label_id',
    isNone: 'not exists (select from ticket_label carried where carried.organization_id = $1 and carried.ticket_id = placed.id)',
    join: 'join label l on l.organization_id = $1 and (l.project_id = $2 or l.project_id is null) and l.id = one.lane_id',
    place: byName('l.name'),
    ofBlock: 1,
  },
}

interface Lanes {
  kind: LaneKind
  /** SQL: the tickets in lanes: `id`, `rank` and, for each column and lane that they are in, its `value` and `lane_id`. */
  laned: string
  /** SQL: whether a column is asked for. */
  isWanted: string
  follows: Follows
  /** Whether only the first of each column are needed. */
  isCut: boolean
  /** SQL: the first tickets in no lane, of these columns of `counted`. */
  others(columns: string): string
  /** SQL: a row if there are any. */
  hasOthers: string
}

/** SQL: CTEs `first` with the tickets that a board with lanes may show, and `lanes_in_order` with the lanes. */
export function lanesText({ kind, laned, isWanted, follows, isCut, others, hasOthers }: Lanes) {
  const { join, place, ofBlock } = lanesOf[kind]
  return `
  laned as materialized (
    ${laned}
  ), lanes as materialized (
    select lane_id, place, row_number() over (order by place) as lane from (
      select one.lane_id, ${place} as place from (select distinct lane_id from laned) one ${join}
    ) one
  ), in_lanes as materialized (
    select laned.id, laned.value, laned.rank, lanes.lane_id, lanes.lane, lanes.lane / ${ofBlock} as block from laned join lanes using (lane_id)
    where ${isWanted} and ${follows('rank', 'id', 'place')}
  ), blocks as (
    select value, block, count(*) as cards, sum(count(*)) over (partition by value order by block) as reached from in_lanes group by value, block
  ), needed as materialized (
    select value, max(block) filter (where reached - cards <= (select n from most)) as block, max(reached) as cards from blocks group by value
  ), not_full as (
    select * from counted where ${isWanted} ${isCut ? 'and value not in (select value from needed where cards > (select n from most))' : ''}
  ), first as not materialized (
    select i.id, i.value, i.lane, i.lane_id, i.rank from in_lanes i join needed using (value)
    ${isCut ? 'where i.block <= needed.block' : ''}
    union all
    select id, value, null, null, rank from (${others('not_full')}) one
  ), lanes_in_order as (
    select coalesce(json_agg(lane_id order by place), '[]') as lanes from (
      select lane_id, place from lanes union all select null, null where exists (${hasOthers})
    ) one
  )`
}

type Follows = (rank: string, id: string, place?: string) => string

/**
 * SQL: whether a ticket comes after the cursor; `place` is that of its lane. Without, the ticket is in no lane, so that it comes after all lanes: where
 * the cursor is in none either; or the board has no lanes. A lane that has gone was before all others, so that no ticket is left out.
 */
export function afterCursor(after: BoardPosition | undefined, kind: LaneKind | undefined, bind: Bind): Follows {
  return (rank, id, place) => {
    if (!after || (kind && !place && after.lane !== null)) return 'true'
    const rest = (place: string, at: string) =>
      `(${place}${rank}, -${id}) > (${at}${bind(after.rank)}::numeric, -${bind(after.id)}::bigint)`
    if (!kind || !place) return rest('', '')
    if (after.lane === null) return 'false'
    const at = lanesOf[kind]
    return `coalesce(${rest(`${place}, `, `(select ${at.place} from (select ${bind(after.lane)}::bigint as lane_id) one ${at.join}), `)}, true)`
  }
}
