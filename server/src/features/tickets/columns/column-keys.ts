import { propertyType } from '@tessera/contract/projects/project-config'
import type { Bind } from '../../../lib/bind.ts'
import { isWatchedBy } from '../../search/conditions/watching-condition.ts'
import { personName } from '../assignees/person-name.ts'
import { type ColumnPosition, isAfter, type KeyColumn, orderBy } from './column-order.ts'
import { lastChange } from './column-values.ts'
import { type ListColumn, titleOrder } from './list-columns.ts'

/** A field that an order refers to. */
export interface SortField {
  id: number
  typeId: number
}

const microseconds = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`
/** Texts sort without regard to case and accents, as names do. */
const sortable = (text: string) => `lower(unaccent(left(${text}, 200))) collate "C"`

/** SQL: account `u` in the order of the names; of one name, each person's tickets stay together. */
const sortedPerson = `${sortable(personName)} || chr(1) || lpad(u.id::text, 19, '0')`
/** SQL: the person's id, from their key in the order of assignees. */
export const personOf = (key: string) => `right(${key}, 19)::bigint`

// Keys of people and labels are computed once, as one object by id: computing them for each ticket takes seconds in a large project.
const peopleKeys = `(select jsonb_object_agg(u.id, ${sortedPerson}) from organization_member m join user_account u on u.id = m.user_id
  where m.organization_id = $1)`
const labelKeys = `(select jsonb_object_agg(l.id, ${sortable('l.name')}) from label l where l.organization_id = $1)`

/** The sort key of ticket `t` for a column of every ticket; tickets without one come last, in either direction. $3 is the caller. */
export function columnKey(column: string): { sql: string; type: string } {
  switch (column as ListColumn | typeof titleOrder) {
    case titleOrder:
      return { sql: sortable('t.title'), type: 'text' }
    case 'Created':
      return { sql: microseconds('t.created_at'), type: 'bigint' }
    case 'Updated':
      return { sql: microseconds(lastChange), type: 'bigint' }
    case 'Parent':
      return { sql: 't.parent_id', type: 'bigint' }
    case 'Watched':
      return { sql: `case when ${isWatchedBy('$3')} then 1 end::bigint`, type: 'bigint' }
    case 'Assignees':
      return {
        sql: `(select min((${peopleKeys} ->> a.user_id::text) collate "C") from assignment a where a.organization_id = $1 and a.ticket_id = t.id)`,
        type: 'text',
      }
    case 'Labels':
      return {
        sql: `(select min((${labelKeys} ->> tl.label_id::text) collate "C") from ticket_label tl
          where tl.organization_id = $1 and tl.ticket_id = t.id)`,
        type: 'text',
      }
  }
}

/** SQL: the value of a NUMBER field. Null for what is none, and for what numeric could not hold, such as 20,000 digits after the point. */
export function numberOf(value: string) {
  return `case when length(${value}) <= 1000 and ${value} ~ '^-?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$' then ${value}::numeric end`
}

/** The sort key for a field, or with `any(…)` for fields of one type: numbers as numbers, choices in the order of their options, people by name, others as text. */
export function fieldKey({ typeId }: SortField, field: string): { sql: string; type: string } {
  const value = (sql: string) =>
    `(select ${sql} from ticket_value v where v.organization_id = $1 and v.ticket_id = t.id and v.field_id = ${field} and v.value <> '' limit 1)`
  if (typeId === propertyType.NUMBER) return { sql: value(numberOf('v.value')), type: 'numeric' }
  if (typeId === propertyType.SELECT) {
    // The positions are read once, as one object: looking through the options for each ticket takes seconds where a field has hundreds.
    const positions = `(select jsonb_object_agg(f.id || ' ' || (o.option->>'value'), o.position order by o.position desc)
      from field f, jsonb_array_elements(f.options) with ordinality as o (option, position) where f.organization_id = $1 and f.id = ${field})`
    return { sql: value(`(${positions} -> (v.field_id || ' ' || v.value))::numeric`), type: 'numeric' }
  }
  if (typeId === propertyType.USER)
    return {
      sql: value(
        `(select ${sortable(personName)} from user_account u where u.id = case when v.value ~ '^[1-9][0-9]{0,14}$' then v.value::bigint end)`,
      ),
      type: 'text',
    }
  return { sql: value(sortable('v.value')), type: 'text' }
}

/** The sort key of what has a place in an order by its id, such as a type or a state. An object, as a search may reach thousands of types. */
export function rankKey(ranks: ReadonlyMap<number, number>, id: string, bind: Bind): { sql: string; type: string } {
  return { sql: `(${bind(JSON.stringify(Object.fromEntries(ranks)))}::jsonb ->> ${id}::text)::bigint`, type: 'bigint' }
}

interface WantedPage {
  keys: readonly (KeyColumn & { sql: string })[]
  id: 'asc' | 'desc'
  after: ColumnPosition | undefined
  /** SQL: how many tickets are wanted. */
  most: string
  /** SQL: an array with the ids of the projects of all these tickets. */
  projects: string
  bind: Bind
}

/** SQL: CTEs of which `first` has the first tickets in the order of the keys, and `keyed` all of them, with their keys. `rows` may be a CTE. */
export function firstInOrder(rows: string, page: WantedPage): string {
  const { keys, id, after, most, bind } = page
  const select = `select ${['t.id', ...keys.map(({ sql, type, name }) => `(${sql})::${type} as ${name}`)].join(', ')} from ${rows} t`
  const rest = after ? `(${isAfter(keys, id, after, bind)})` : 'true'
  const keyed = `keyed as (${select} offset 0)`
  const end = `order by ${orderBy(keys, id)} limit ${most}`
  const [first] = keys
  if (first?.Direction !== 'desc' || first.sql !== columnKey('Updated').sql)
    return `${keyed}, first as (select * from keyed where ${rest} ${end})`
  // A page's tickets are nearly always among those of the newest changes; otherwise the last change of every ticket has to be read.
  const isEnough = `(select count(*) >= ${most} from recent)`
  return `${keyed}, newest as materialized (${newestChanges(rows, page)}), recent as materialized (
      select * from (
        ${select} where t.id in (select ticket_id from newest) or t.created_at > (select max(since) from newest) offset 0
      ) changed where ${first.name} > (select ${microseconds('max(since)')} from newest) and ${rest}
    ), first as (
      select * from (select * from recent where ${isEnough} union all select * from keyed where not ${isEnough} and ${rest}) either ${end}
    )`
}

/** How many changes of each project are read before those of every ticket. */
const changesRead = 2000

/**
 * SQL: the newest changes of the projects, up to the position, if there are more tickets than that. All changes after the latest `since` are among
 * them; it is null for a project that has no more changes. The limit is a constant: if PostgreSQL could not tell how few rows these are, it would
 * not hash them, but read them again for each ticket.
 */
function newestChanges(rows: string, { after, projects, bind }: WantedPage) {
  const until = after ? `and c.changed_at <= to_timestamp((${bind(after.keys[0])}::bigint + 1) / 1000000.0)` : ''
  return `
    select c.ticket_id, c.since from unnest(${projects}) as p (id) cross join lateral (
      select c.ticket_id, case when count(*) over () = ${changesRead} then min(c.changed_at) over () end as since from (
        select c.ticket_id, c.changed_at from change c
        where c.organization_id = $1 and c.project_id = p.id and c.ticket_id is not null ${until}
          and (select count(*) > ${changesRead} from (select from ${rows} limit ${changesRead + 1}) counted)
        order by c.changed_at desc limit ${changesRead}
      ) c
    ) c`
}
