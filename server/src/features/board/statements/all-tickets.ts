import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import type { Bind } from '../../../lib/bind.ts'
import { isFiltered } from '../../tickets/finding/filters.ts'
import { type Group, valuesOf } from '../columns/board-columns.ts'
import type { BoardPosition } from '../columns/board-cursor.ts'
import { boardText } from './board-text.ts'
import { afterCursor, lanesText } from './lanes.ts'

// A board of all tickets, without filters. Its totals are counters, or are counted from assignments or values alone. Unplaced tickets, which nobody has
// moved on the board, are in the order of their ids, so the first of a column are known before a ticket is read; placed ones are few. With lanes, all
// tickets that have a parent are read.

type Input = Request<typeof queryBoard>

/** By state without lanes, a board is read by `by-state.ts`; for lanes by assignee or label all tickets are read, as with a filter. */
export function isOfAllTickets({ Group, Lanes, Tickets, ...rest }: Input) {
  const isOfItsOwn = Lanes === undefined ? Group !== 'State' : Lanes === 'Parent'
  return isOfItsOwn && Tickets === undefined && !isFiltered(rest)
}

/** SQL of the board. $1 is the organization, $2 the project, $4 how many tickets of each column, and one more. */
export function allTicketsStatement({ Value, Lanes }: Input, group: Group, after: BoardPosition | undefined, bind: Bind) {
  const hasLanes = Lanes !== undefined
  const wanted = Value === undefined ? '' : bind(String(Value))
  const isWanted = (value: string) => (wanted ? `${value} = ${wanted}` : 'true')
  const follows = afterCursor(after, Lanes, bind)
  const parts = { isWanted, follows, isInReach: hasLanes ? 'parent_id is null and trashed_at is null' : 'true' }
  const { counted, newest } = partsOf(group, parts, bind)
  /** The first tickets of these columns; with lanes, of those without a parent. */
  const first = (columns: string) => `
    with shown as materialized (select *, total >= ${frequentShare} * ${allTickets} as is_frequent from ${columns})
    select id, value, rank from (${newest}) newest where ${follows('rank', 'id')}`
  return boardText({
    counted: `gone as materialized (select id from ticket where organization_id = $1 and project_id = $2 and trashed_at is not null),
    ranked as materialized (
      select id, rank from ticket where organization_id = $1 and project_id = $2 and rank is not null and trashed_at is null and ${parts.isInReach}
    ), ${counted}`,
    first: hasLanes
      ? lanesText({
          kind: Lanes,
          laned: `select t.id, t.parent_id as lane_id, coalesce(v.value, '') collate "C" as value, coalesce(t.rank, -t.id) as rank
            from ticket t ${valuesOf('t', group, bind)}
            where t.organization_id = $1 and t.project_id = $2 and t.parent_id is not null and t.trashed_at is null`,
          isWanted: isWanted('value'),
          isCut: true,
          follows,
          others: first,
          hasOthers: 'select from ticket where organization_id = $1 and project_id = $2 and parent_id is null and trashed_at is null',
        })
      : `first as (${first(`counted where ${isWanted('value')}`)})`,
    group,
    hasLanes,
    isWanted,
  })
}

interface Parts {
  isWanted(value: string): string
  follows(rank: string, id: string): string
  /** With lanes, only the tickets without a parent are found here. An index has their ids, as long as they are not in the trash. */
  isInReach: string
}

/** SQL: `counted` are CTEs, the last of them with the `total` of each `value`; `newest` are the first tickets of the columns `shown`. */
function partsOf({ kind, fieldId }: Group, parts: Parts, bind: Bind) {
  if (kind === 'State') return byState(parts)
  return kind === 'Assignee' ? byAssignee(parts) : byField(`${bind(fieldId)}::bigint`, parts)
}

const allTickets = '(select coalesce(sum(c.tickets), 0) from ticket_tally c where c.organization_id = $1 and c.project_id = $2)'
/** As many tickets of each column as are shown, and one more. With hundreds of columns that is far less than $4. */
const wantedOfColumn = '(select n + 1 from most)'
/** In a column with at least this share of all tickets, a scan from the newest ticket backwards finds the first ones soon. */
const frequentShare = 0.02

const ofProject = 't.organization_id = $1 and t.project_id = $2'
/** Tickets `t` that nobody has placed. */
const unplaced = ({ isInReach }: Parts) => `${ofProject} and t.trashed_at is null and t.rank is null and ${isInReach}`

/** Only with lanes. An index has the tickets of each state in the order of the board. */
function byState({ isWanted, follows, isInReach }: Parts) {
  const rank = 'coalesce(t.rank, -t.id)'
  return {
    counted: `counted as materialized (
      select state_id::text collate "C" as value, sum(tickets)::int as total from ticket_tally
      where organization_id = $1 and project_id = $2 and ${isWanted('state_id::text')} group by state_id having sum(tickets) > 0
    )`,
    newest: `
      select t.id, shown.value, t.rank from shown cross join lateral (
        select t.id, ${rank} as rank from ticket t
        where ${ofProject} and t.state_id = shown.value::bigint and t.trashed_at is null and ${isInReach} and ${follows(rank, 't.id')}
        order by ${rank} limit ${wantedOfColumn}
      ) t`,
  }
}

/** An index has the assignments of each person in a project, the newest ticket first. A person may hold several roles on a ticket. */
function byAssignee(parts: Parts) {
  const { isWanted, follows } = parts
  const heldBy = (person: string) => `a.organization_id = $1 and a.user_id = ${person} and a.project_id = $2`
  const isHeld = (ticket: string) => `exists (select from assignment a where a.organization_id = $1 and a.ticket_id = ${ticket})`
  return {
    counted: `lost as materialized (
      select a.user_id, count(distinct a.ticket_id) as tickets from gone join assignment a on a.organization_id = $1 and a.ticket_id = gone.id
      where ${isWanted('a.user_id::text')} group by a.user_id
    ), counted as materialized (
      select * from (
        select m.user_id, m.user_id::text collate "C" as value, ((select count(distinct a.ticket_id) from assignment a where ${heldBy('m.user_id')})
          - coalesce(lost.tickets, 0))::int as total
        from project_member m left join lost on lost.user_id = m.user_id where m.organization_id = $1 and m.project_id = $2 and ${isWanted('m.user_id::text')} offset 0
      ) person where total > 0
      union all
      select null, '', (${allTickets}
        - (select count(distinct a.ticket_id) from assignment a where a.organization_id = $1 and a.project_id = $2)
        + (select count(*) from gone where ${isHeld('gone.id')}))::int where ${isWanted("''")}
    )`,
    newest: `
      select latest.id, shown.value, -latest.id::numeric as rank from shown cross join lateral (
        select distinct a.ticket_id as id from assignment a join ticket t on t.id = a.ticket_id
        where ${heldBy('shown.user_id')} and ${unplaced(parts)} and ${follows('-a.ticket_id::numeric', 'a.ticket_id')}
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
  const { follows } = parts
  const ofField = `v.organization_id = $1 and v.field_id = ${field} and v.value <> ''`
  const hasValue = (ticket: string) => `exists (select from ticket_value v where ${ofField} and v.ticket_id = ${ticket})`
  const latest = `${unplaced(parts)} and ${follows('-t.id::numeric', 't.id')}`
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
    )`,
    newest: `
      select newest.id, shown.value, -newest.id::numeric as rank from shown cross join lateral (
        select t.id from ticket t
        where ${latest} and (select v.value from ticket_value v where ${ofField} and v.ticket_id = t.id) = shown.value
        order by t.id desc limit ${wantedOfColumn}
      ) newest where shown.is_frequent and shown.value <> ''
      union all
      select id, value, -id::numeric from (
        select t.id, v.value, row_number() over (partition by v.value order by t.id desc) as n
        from ticket_value v join ticket t on ${latest} and t.id = v.ticket_id
        where ${ofField} and v.value = any(array(select value from shown where not is_frequent))
          and exists (select from shown where not is_frequent)
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
function withoutValue(hasValue: string, parts: Parts) {
  const isNext = parts.follows('-t.id::numeric', 't.id')
  const isFrequent = "(select is_frequent from shown where value = '')"
  const most = `coalesce((select least(total, ${wantedOfColumn}) from shown where value = ''), 0)`
  return `select id, '', -id::numeric from (
        (select t.id from ticket t where ${unplaced(parts)} and ${isNext} and not ${hasValue} and ${isFrequent} order by t.id desc limit ${most})
        union all
        (select id from (
          select t.id from ticket t where ${ofProject} and ${parts.isInReach} and ${isNext} and not ${hasValue} and not ${isFrequent}
            and not exists (select from gone where gone.id = t.id) and not exists (select from ranked where ranked.id = t.id) offset 0
        ) seldom order by id desc limit ${most})
      ) without_value`
}
