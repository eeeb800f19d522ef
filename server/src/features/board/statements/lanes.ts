import type { BoardPosition } from '../columns/board-cursor.ts'

// Lanes are the parents of the tickets, and tickets without a parent come last, in a lane without one. Sorting costs most, so only tickets that may be
// shown are sorted: those of each column's first lanes, and those without a parent only in columns that the others do not fill.

/** Lanes are counted in blocks of this size, because a count for each lane and column would cost as much as sorting. */
const lanesOfBlock = 64

interface Lanes {
  /** SQL: the tickets with a parent: `id`, `parent_id`, `rank` and, for each column they are in, its `value`. */
  children: string
  /** SQL: whether a column is asked for. */
  isWanted: string
  follows: Follows
  /** Whether only the first of each column are needed. */
  isCut: boolean
  /** SQL: the first tickets without a parent, of these columns of `counted`. */
  roots(columns: string): string
  /** SQL: a row if there are any. */
  hasRoots: string
}

/** SQL: CTEs `first` with the tickets that a board with lanes may show, and `lanes_in_order` with the parents. */
export function lanesText({ children, isWanted, follows, isCut, roots, hasRoots }: Lanes) {
  return `
  ranked_parents as materialized (
    select id, rank from ticket where organization_id = $1 and project_id = $2 and rank is not null
  ), children as materialized (
    ${children}
  ), lanes as materialized (
    select parent_id, lane, row_number() over (order by lane) / ${lanesOfBlock} as block from (
      select one.parent_id, coalesce(above.rank, -one.parent_id) as lane
      from (select distinct parent_id from children) one left join ranked_parents above on above.id = one.parent_id
    ) one
  ), in_lanes as materialized (
    select children.id, children.value, lanes.lane, lanes.block, children.rank from children join lanes using (parent_id)
    where ${isWanted} and ${follows('rank', 'id', 'lane')}
  ), blocks as (
    select value, block, count(*) as tickets, sum(count(*)) over (partition by value order by block) as reached from in_lanes group by value, block
  ), needed as materialized (
    select value, max(block) filter (where reached - tickets <= (select n from most)) as block, max(reached) as tickets from blocks group by value
  ), not_full as (
    select * from counted where ${isWanted} ${isCut ? 'and value not in (select value from needed where tickets > (select n from most))' : ''}
  ), first as not materialized (
    select i.id, i.value, i.lane, i.rank from in_lanes i join needed using (value)
    ${isCut ? 'where i.block <= needed.block' : ''}
    union all
    select id, value, null, rank from (${roots('not_full')}) one
  ), lanes_in_order as (
    select coalesce(json_agg(parent_id order by lane), '[]') as lanes from (
      select parent_id, lane from lanes union all select null, null where exists (${hasRoots})
    ) one
  )`
}

type Follows = (rank: string, id: string, lane?: string) => string

/**
 * SQL: whether a ticket comes after the cursor. Without `lane`, the ticket has no parent, so that it comes after all lanes: where the cursor's lane is
 * infinite; or the board has no lanes.
 */
export function afterCursor(after: BoardPosition | undefined, hasLanes: boolean, bind: (value: unknown) => string): Follows {
  return (rank, id, lane) => {
    if (!after || (hasLanes && !lane && after.lane !== 'Infinity')) return 'true'
    const [at, placeOf] = lane ? [`${bind(after.lane)}::numeric, `, `${lane}, `] : ['', '']
    return `(${placeOf}${rank}, -${id}) > (${at}${bind(after.rank)}::numeric, -${bind(after.id)}::bigint)`
  }
}
