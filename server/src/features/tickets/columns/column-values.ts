import { limits } from '@tessera/contract/limits'
import { json, nullable, type RowOf } from '../../../db/shape.ts'
import { personName } from '../assignees/person-name.ts'
import type { ListAnswer } from '../pages/list-rows.ts'
import { isNotified } from '../subscriptions/watchers.ts'
import type { ListColumn } from './list-columns.ts'

// The optional columns of a list, read with the rows in the same statement.

export const columnsRow = {
  assignees: nullable(json<[ticketId: number, assignee: { idUser: number; Name: string; Role: string }][]>()),
  /** In seconds. */
  times: nullable(json<[ticketId: number, created: number, updated: number][]>()),
  parents: nullable(json<[ticketId: number, parent: { id: number; pcode: string; Title: string }][]>()),
  watched: nullable(json<number[]>()),
  /** Those of the requested field keys that the project has. */
  known: nullable(json<string[]>()),
  fields: nullable(json<[ticketId: number, key: string, value: string][]>()),
}
type ColumnsAnswer = RowOf<typeof columnsRow>

/** When the ticket was last changed, or else created. */
export const lastChange = `coalesce((select c.changed_at from change c where c.organization_id = $1 and c.ticket_id = t.id order by c.id desc limit 1), t.created_at)`

/** SQL: whether this person is mailed about ticket `t`. */
export function isWatched(user: string) {
  return `(select ${isNotified('t')} from user_account u
    left join subscription n on n.organization_id = $1 and n.ticket_id = t.id and n.user_id = u.id where u.id = ${user})`
}

/**
 * The select list of a `ColumnsAnswer` about the CTE `page`, to be appended to another select list; empty without a column. `columns` are joined by
 * spaces, `keys` is the parameter with the keys of fields, or empty. `project` may be `any(…)`.
 */
export function columnsAnswer(columns: string, project: string, user: string, keys: string) {
  if (!columns && !keys) return ''
  const isWanted = (column: ListColumn) => columns.split(' ').includes(column)
  const ofPage = `t.organization_id = $1 and t.id = any(array(select id from page))`
  const times = isWanted('Created') || isWanted('Updated')
  const when = (wanted: boolean, select: string) => (wanted ? `(${select})` : 'null::json')
  return `,
    ${when(
      isWanted('Assignees'),
      `select json_agg(json_build_array(a.ticket_id, json_build_object('idUser', u.id, 'Name', ${personName}, 'Role', r.name)) order by r.position, r.id, lower(unaccent(${personName})), u.id)
      from assignment a join role r on r.organization_id = $1 and r.id = a.role_id join user_account u on u.id = a.user_id
      where a.organization_id = $1 and a.ticket_id = any(array(select id from page))`,
    )} as assignees,
    ${when(
      times,
      `select json_agg(json_build_array(t.id, floor(extract(epoch from t.created_at)), floor(extract(epoch from ${isWanted('Updated') ? lastChange : 't.created_at'}))))
      from ticket t where ${ofPage}`,
    )} as times,
    ${when(
      isWanted('Parent'),
      `select json_agg(json_build_array(t.id, json_build_object('id', above.id, 'pcode', p.short_code, 'Title', above.title)))
      from ticket t join ticket above on above.organization_id = $1 and above.id = t.parent_id
      join project p on p.organization_id = $1 and p.id = t.project_id where ${ofPage}`,
    )} as parents,
    ${when(isWanted('Watched'), `select json_agg(t.id) from ticket t where ${ofPage} and ${isWatched(user)}`)} as watched,
    ${when(
      keys !== '',
      `select json_agg(f.key) from field f where f.organization_id = $1 and f.project_id = ${project} and f.key = any(${keys}::text[])`,
    )} as known,
    ${when(
      keys !== '',
      `select json_agg(json_build_array(v.ticket_id, f.key, left(v.value, ${limits.listedValue})))
      from field f join ticket_value v on v.organization_id = $1 and v.field_id = f.id and v.ticket_id = any(array(select id from page))
      where f.organization_id = $1 and f.project_id = ${project} and f.key = any(${keys}::text[]) and v.value <> ''`,
    )} as fields`
}

/** What `listText` adds to each row. */
export function valuesText(names: readonly string[], answer: Partial<ColumnsAnswer> & Pick<ListAnswer, 'labels'>) {
  const valuesOf = columnValues(names, answer)
  return (id: number) => `,"Values":${JSON.stringify(valuesOf(id))}`
}

/** The values of the requested columns, by name. */
export function columnValues(names: readonly string[], answer: Partial<ColumnsAnswer> & Pick<ListAnswer, 'labels'>) {
  const { assignees, times, parents, watched, fields, labels } = answer
  const byTicket = <Row extends [number, ...unknown[]]>(rows: readonly Row[] | null | undefined) => Map.groupBy(rows ?? [], ([id]) => id)
  const labelsOf = byTicket(labels)
  const assigned = byTicket(assignees)
  const timesOf = new Map(times?.map(([id, created, updated]) => [id, { created, updated }]))
  const parentOf = new Map(parents)
  const isWatching = new Set(watched)
  const fieldsOf = byTicket(fields)
  const values: Record<ListColumn, (id: number) => unknown> = {
    Assignees: id => assigned.get(id)?.map(([, assignee]) => assignee) ?? [],
    Labels: id => labelsOf.get(id)?.map(([, label]) => label) ?? [],
    Created: id => timesOf.get(id)?.created,
    Updated: id => timesOf.get(id)?.updated,
    Parent: id => parentOf.get(id) ?? null,
    Watched: id => (isWatching.has(id) ? 1 : 0),
  }
  return (id: number) => {
    const own = new Map(fieldsOf.get(id)?.map(([, key, value]) => [key, value]))
    const entries = names.map(name => [name, Object.hasOwn(values, name) ? values[name as ListColumn](id) : (own.get(name) ?? '')])
    return Object.fromEntries(entries)
  }
}
