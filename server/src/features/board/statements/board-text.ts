import { type Group, nameOf } from '../columns/board-columns.ts'
import { perColumnOf } from '../columns/column-limit.ts'

interface BoardText {
  group: Group
  /** SQL: CTEs, the last of them `counted` with the `total` of each `value`. */
  counted: string
  /** SQL: CTEs, among them `first` with the tickets that may be shown: `id`, `value`, `rank` and, with lanes, `lane`, the place of that lane, and `lane_id`. */
  first: string
  hasLanes: boolean
  /** SQL: which columns are asked for. */
  isWanted?(value: string): string
  /** SQL: for the position of some tickets, which these are. */
  tickets?: string | undefined
}

/** SQL of a board: what is shown of each column, with its total. $3 is the caller, $4 how many tickets of each column, and one more. */
export function boardText({ group, counted, first, hasLanes, isWanted = () => 'true', tickets }: BoardText) {
  const name = group.kind === 'Assignee' ? nameOf('c.value') : 'null::text'
  return `
  with ${counted}, most as (
    select ${perColumnOf('$4::int - 1')} as n from counted where ${isWanted('value')}
  ), ${first}, numbered as (
    select *, row_number() over by_rank as n, lag(id) over by_rank as before${hasLanes ? ', lag(lane_id) over by_rank as before_lane' : ''} from first
    window by_rank as (partition by value order by ${hasLanes ? 'lane, ' : ''}rank, id desc)
  ), page as materialized (
    select * from numbered where ${tickets ?? 'n <= (select most.n from most) + 1'}
  )
  select coalesce((
    select json_agg(json_build_object('value', c.value, 'name', ${name}, 'total', c.total, 'ids', coalesce(p.ids, '[]'), 'before', coalesce(p.before, '[]'),
      'rank', coalesce(p.rank, '0')${hasLanes ? ", 'lanes', coalesce(p.lanes, '[]'), 'beforeLanes', coalesce(p.before_lanes, '[]')" : ''}) order by lower(unaccent(${name})), c.value)
    from counted c
    left join (
      select value, json_agg(id order by n) as ids, json_agg(before order by n) as before,
        ${hasLanes ? 'json_agg(lane_id order by n) as lanes, json_agg(before_lane order by n) as before_lanes,' : ''}
        (array_agg(rank::text order by n desc) filter (where n <= (select most.n from most)))[1] as rank
      from page group by value
    ) p on p.value = c.value
    where ${isWanted('c.value')}
  ), '[]') as columns, ${hasLanes ? '(select lanes from lanes_in_order)' : "'[]'::json"} as lanes
  from (select $3::bigint as id) caller`
}
