import type { queryBoard } from '@tessera/contract/board'
import type { Request } from '@tessera/contract/call'
import { isFiltered } from '../../tickets/finding/rules.ts'
import type { Group } from '../queries.ts'
import { type BoardPosition, nameOf } from '../rules.ts'

// A board of all tickets by assignee or by a SELECT field. What tickets stand in each column is counted from assignments or values alone. Tickets
// that nobody gave a place stand in the order of their ids, so the first of a column are known before a ticket is read; those that people placed are
// few. Tickets without a value are those of the index that are in none of the other sets.

type Input = Request<typeof queryBoard>
type Bind = (value: unknown) => string

export function isByValue({ Group, Lanes, Tickets, ...rest }: Input) {
  return Group !== 'State' && Lanes === undefined && Tickets === undefined && !isFiltered(rest)
}

/** The columns of the board. $1 is the organization, $2 the project, $4 how many tickets of each column, and one more. */
export function byValueStatement({ Value }: Input, { kind, fieldId }: Group, after: BoardPosition | undefined, bind: Bind) {
  const wanted = Value === undefined ? '' : bind(String(Value))
  const follows = (rank: string, id: string) =>
    after ? `(${rank}, -${id}) > (${bind(after.rank)}::numeric, -${bind(after.id)}::bigint)` : 'true'
  // The index has the assignments of a person in a project.
  const held =
    kind === 'Assignee'
      ? `select distinct a.ticket_id as id, a.user_id::text as value from project_member m
        join assignment a on a.organization_id = $1 and a.user_id = m.user_id and a.project_id = $2
        where m.organization_id = $1 and m.project_id = $2`
      : `select v.ticket_id as id, v.value from ticket_value v where v.organization_id = $1 and v.field_id = ${bind(fieldId)}::bigint and v.value <> ''`
  const name = kind === 'Assignee' ? nameOf('c.value') : 'null::text'
  return `
    with held as materialized (${held}),
    gone as materialized (select id from ticket where organization_id = $1 and project_id = $2 and trashed_at is not null),
    placed as materialized (select id, value collate "C" as value from held where id not in (select id from gone)),
    ranked as materialized (select id, rank from ticket where organization_id = $1 and project_id = $2 and rank is not null and trashed_at is null),
    counted as materialized (
      select value, count(*)::int as total from placed group by value
      union all
      select '', (select coalesce(sum(c.tickets), 0) from ticket_tally c where c.organization_id = $1 and c.project_id = $2)::int
        - (select count(distinct id) from placed)::int
    ), first as (
      select id, value, -id::numeric as rank from (
        select id, value, row_number() over (partition by value order by id desc) as n from placed
        where id not in (select id from ranked) and ${wanted ? `value = ${wanted}` : 'true'} and ${follows('-id::numeric', 'id')}
      ) latest where n <= $4
      union all
      select id, value, rank from ranked join placed using (id)
      union all
      select id, '', -id::numeric from (
        select t.id from ticket t
        where t.organization_id = $1 and t.project_id = $2 and ${follows('-t.id::numeric', 't.id')}
          and t.id not in (select id from placed) and t.id not in (select id from gone) and t.id not in (select id from ranked)
        order by t.id desc limit (select least(total, ${wanted ? `case when ${wanted} = '' then $4::int else 0 end` : '$4'}) from counted where value = '')
      ) rest
      union all
      select id, '', rank from ranked where id not in (select id from placed)
    ), page as (
      select * from (
        select id, value, rank, row_number() over (partition by value order by rank, id desc) as n from first where ${follows('rank', 'id')}
      ) numbered where n <= $4
    )
    select coalesce((
      select json_agg(json_build_object('value', c.value, 'name', ${name}, 'total', c.total,
        'ids', coalesce(p.ids, '[]'), 'before', '[]'::json, 'lane', '0', 'rank', coalesce(p.rank, '0')) order by lower(${name}), c.value)
      from counted c
      left join (
        select value, json_agg(id order by n) as ids, (array_agg(rank::text order by n desc) filter (where n < $4::int))[1] as rank
        from page group by value
      ) p on p.value = c.value
      where ${wanted ? `c.value = ${wanted}` : 'true'}
    ), '[]') as columns, '[]'::json as lanes
    from (select $3::bigint as id) caller`
}
