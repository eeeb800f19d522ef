import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { isFiltered } from '../../tickets/finding/rules.ts'
import type { Group } from '../queries.ts'
import { type BoardPosition, nameOf, perColumnOf } from '../rules.ts'

// A board of all tickets by assignee or by a SELECT field. The tickets of each column are counted from assignments or values alone. Unplaced tickets,
// which nobody has moved on the board, are in the order of their ids, so the first of a column are known before a ticket is read; placed ones are few.

type Input = Request<typeof queryBoard>
type Bind = (value: unknown) => string

export function isByValue({ Group, Lanes, Tickets, ...rest }: Input) {
  return Group !== 'State' && Lanes === undefined && Tickets === undefined && !isFiltered(rest)
}

/** The columns of the board. $1 is the organization, $2 the project, $4 how many tickets of each column, and one more. */
export function byValueStatement({ Value }: Input, { kind, fieldId }: Group, after: BoardPosition | undefined, bind: Bind) {
  const wanted = Value === undefined ? '' : bind(String(Value))
  const isWanted = (value: string) => (wanted ? `${value} = ${wanted}` : 'true')
  const follows = (rank: string, id: string) =>
    after ? `(${rank}, -${id}) > (${bind(after.rank)}::numeric, -${bind(after.id)}::bigint)` : 'true'
  const parts = { isWanted, follows }
  const { counted, first } = kind === 'Assignee' ? byAssignee(parts) : byField(`${bind(fieldId)}::bigint`, parts)
  const name = kind === 'Assignee' ? nameOf('c.value') : 'null::text'
  return `
    with gone as materialized (select id from ticket where organization_id = $1 and project_id = $2 and trashed_at is not null),
    ranked as materialized (select id, rank from ticket where organization_id = $1 and project_id = $2 and rank is not null and trashed_at is null),
    ${counted}, most as (select ${perColumnOf('$4::int - 1')} as n from counted where ${isWanted('value')}), first as (${first}), page as (
      select * from (
        select id, value, rank, row_number() over (partition by value order by rank, id desc) as n from first where ${follows('rank', 'id')}
      ) numbered where n <= (select n from most) + 1
    )
    select coalesce((
      select json_agg(json_build_object('value', c.value, 'name', ${name}, 'total', c.total,
        'ids', coalesce(p.ids, '[]'), 'before', '[]'::json, 'lane', '0', 'rank', coalesce(p.rank, '0')) order by lower(unaccent(${name})), c.value)
      from counted c
      left join (
        select value, json_agg(id order by n) as ids, (array_agg(rank::text order by n desc) filter (where n <= (select most.n from most)))[1] as rank
        from page group by value
      ) p on p.value = c.value
      where ${isWanted('c.value')}
    ), '[]') as columns, '[]'::json as lanes
    from (select $3::bigint as id) caller`
}

interface Parts {
  isWanted(value: string): string
  follows(rank: string, id: string): string
}

const allTickets = '(select coalesce(sum(c.tickets), 0) from ticket_tally c where c.organization_id = $1 and c.project_id = $2)'
/** As many tickets of each column as are shown, and one more. With hundreds of columns that is far less than $4. */
const wantedOfColumn = '(select n + 1 from most)'
/** Tickets `t` that nobody has placed. */
const unplaced = 't.organization_id = $1 and t.project_id = $2 and t.trashed_at is null and t.rank is null'
/** In a column with at least this share of all tickets, a scan from the newest ticket backwards finds the first ones soon. */
const frequentShare = 0.02

/** An index has the assignments of each person in a project, the newest ticket first. A person may hold several roles on a ticket. */
function byAssignee(parts: Parts) {
  const { isWanted, follows } = parts
  const heldBy = (person: string) => `a.organization_id = $1 and a.user_id = ${person} and a.project_id = $2`
  const isHeld = (ticket: string) => `exists (select from assignment a where a.organization_id = $1 and a.ticket_id = ${ticket})`
  return {
    counted: `counted as materialized (
      select * from (
        select m.user_id, m.user_id::text collate "C" as value, ((select count(distinct a.ticket_id) from assignment a where ${heldBy('m.user_id')})
          - (select count(distinct a.ticket_id) from gone join assignment a on ${heldBy('m.user_id')} and a.ticket_id = gone.id))::int as total
        from project_member m where m.organization_id = $1 and m.project_id = $2 and ${isWanted('m.user_id::text')} offset 0
      ) person where total > 0
      union all
      select null, '', (${allTickets}
        - (select count(distinct a.ticket_id) from assignment a where a.organization_id = $1 and a.project_id = $2)
        + (select count(*) from gone where ${isHeld('gone.id')}))::int where ${isWanted("''")}
    )`,
    first: `
      select latest.id, counted.value, -latest.id::numeric as rank from counted cross join lateral (
        select distinct a.ticket_id as id from assignment a join ticket t on t.organization_id = $1 and t.id = a.ticket_id
        where ${heldBy('counted.user_id')} and t.trashed_at is null and t.rank is null and ${follows('-a.ticket_id::numeric', 'a.ticket_id')}
        order by a.ticket_id desc limit ${wantedOfColumn}
      ) latest
      union all
      select distinct ranked.id, a.user_id::text, ranked.rank from ranked join assignment a on a.organization_id = $1 and a.ticket_id = ranked.id
      union all
      ${withoutValue(isHeld('t.id'), parts)}
      union all
      select id, '', rank from ranked where not ${isHeld('ranked.id')}`,
  }
}

/** To count the tickets, all values of the field are read. */
function byField(field: string, parts: Parts) {
  const { isWanted, follows } = parts
  const ofField = `v.organization_id = $1 and v.field_id = ${field} and v.value <> ''`
  const hasValue = (ticket: string) => `exists (select from ticket_value v where ${ofField} and v.ticket_id = ${ticket})`
  const latest = `${unplaced} and ${follows('-t.id::numeric', 't.id')}`
  return {
    counted: `lost as (
      select v.value, count(*) as tickets from gone join ticket_value v on ${ofField} and v.ticket_id = gone.id group by v.value
    ), held as materialized (
      select value collate "C" as value, (held.tickets - coalesce(lost.tickets, 0))::int as total from (
        select v.value, count(*) as tickets from ticket_value v where ${ofField} group by v.value
      ) held left join lost using (value)
    ), counted as materialized (
      select value, total from held where total > 0
      union all
      select '', (${allTickets} - (select coalesce(sum(total), 0) from held))::int
    ), wanted as materialized (
      select value, total >= ${frequentShare} * ${allTickets} as is_frequent from counted where value <> '' and ${isWanted('value')}
    )`,
    first: `
      select newest.id, wanted.value, -newest.id::numeric as rank from wanted cross join lateral (
        select t.id from ticket t
        where ${latest} and (select v.value from ticket_value v where ${ofField} and v.ticket_id = t.id) = wanted.value
        order by t.id desc limit ${wantedOfColumn}
      ) newest where wanted.is_frequent
      union all
      select id, value, -id::numeric from (
        select t.id, v.value, row_number() over (partition by v.value order by t.id desc) as n
        from ticket_value v join ticket t on ${latest} and t.id = v.ticket_id
        where ${ofField} and v.value = any(array(select value from wanted where not is_frequent))
          and exists (select from wanted where not is_frequent)
      ) newest where n <= ${wantedOfColumn}
      union all
      select ranked.id, v.value, ranked.rank from ranked join ticket_value v on ${ofField} and v.ticket_id = ranked.id
      union all
      ${withoutValue(hasValue('t.id'), parts)}
      union all
      select id, '', rank from ranked where not ${hasValue('ranked.id')}`,
  }
}

/**
 * The newest unplaced tickets that are in no other column; the limit is never more than there are. Where they are few, all ids are compared, by
 * index-only scans: `offset 0` keeps the planner from scanning backwards ticket by ticket, which it prefers wherever there is a limit.
 */
function withoutValue(hasValue: string, { isWanted, follows }: Parts) {
  const isNext = follows('-t.id::numeric', 't.id')
  const isFrequent = `(select total >= ${frequentShare} * ${allTickets} from counted where value = '')`
  const most = `(select case when ${isWanted("''")} then least(total, ${wantedOfColumn}) else 0 end from counted where value = '')`
  return `select id, '', -id::numeric from (
        (select t.id from ticket t where ${unplaced} and ${isNext} and not ${hasValue} and ${isFrequent} order by t.id desc limit ${most})
        union all
        (select id from (
          select t.id from ticket t where t.organization_id = $1 and t.project_id = $2 and ${isNext} and not ${hasValue} and not ${isFrequent}
            and not exists (select from gone where gone.id = t.id) and not exists (select from ranked where ranked.id = t.id) offset 0
        ) seldom order by id desc limit ${most})
      ) without_value`
}
