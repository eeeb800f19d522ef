import type { Request } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { type Db, run, statement } from '../../db/db.ts'
import { json, text } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { invalid, notFound } from '../../lib/failure.ts'
import { requireKnown, shownColumns } from '../tickets/columns/rules.ts'
import type { Names } from '../tickets/rules.ts'
import { nameOf, perColumnOf } from './rules.ts'

/** What a board is grouped by. */
export interface Group {
  kind: 'State' | 'Assignee' | 'field'
  fieldId: number | undefined
  states: { id: number; name: string; position: number; phase: Phase; limit: number | null; holds: boolean }[]
  options: { value: string; label: string }[]
}

const lookUpRow = {
  short_code: text,
  templates: json<[number, string][]>(),
  states: json<Group['states']>(),
  fields: json<{ id: number; key: string; typeId: number; options: Group['options'] }[]>(),
}
const lookUpStatement = statement(
  lookUpRow,
  `
  select p.short_code,
    coalesce((select json_agg(json_build_array(id, name)) from template where organization_id = $1 and project_id = $2), '[]') as templates,
    coalesce((select json_agg(json_build_object('id', id, 'name', name, 'position', position, 'phase', phase, 'limit', board_limit, 'holds', limit_holds) order by phase, position, id)
      from state where organization_id = $1 and project_id = $2), '[]') as states,
    coalesce((select json_agg(json_build_object('id', id, 'key', key, 'typeId', type_id, 'options', options))
      from field where organization_id = $1 and project_id = $2 and key = any($3::text[])), '[]') as fields
  from project p where p.organization_id = $1 and p.id = $2`,
)

/** What the board's columns and filters refer to. 404 for a template or state that the project does not have, 400 for a field. */
export async function lookUp(db: Db, { organizationId, projectId }: ProjectScope, input: Request<typeof queryBoard>) {
  const kind = input.Group === 'State' || input.Group === 'Assignee' ? input.Group : 'field'
  const keys = [...shownColumns(input).keys, ...(kind === 'field' ? [input.Group] : [])]
  const [row] = await run(db, lookUpStatement, [organizationId, projectId, keys])
  if (!row) throw notFound()
  const names: Names = {
    templates: new Map(row.templates),
    states: new Map(row.states.map(({ id, position, phase }) => [id, { position, phase }])),
  }
  if (input.Types?.some(id => !names.templates.has(id)) || input.States?.some(id => !names.states.has(id))) throw notFound()
  requireKnown(input.Columns ? { Columns: input.Columns } : {}, new Set(row.fields.map(({ key }) => key)))
  const field = kind === 'field' ? row.fields.find(({ key, typeId }) => key === input.Group && typeId === propertyType.SELECT) : undefined
  if (kind === 'field' && !field) throw invalid('Group', 'is neither State nor Assignee nor the key of a SELECT field of this project')
  const group: Group = { kind, fieldId: field?.id, states: row.states, options: field?.options ?? [] }
  return { shortCode: row.short_code, names, group }
}

/** SQL: a row `v` with the `value` of each column that the ticket is in; no row if it has no value. */
export function valuesOf(ticket: string, { kind, fieldId }: Group, bind: (value: unknown) => string) {
  if (kind === 'State') return `cross join lateral (select ${ticket}.state_id::text as value) v`
  if (kind === 'field')
    return `left join ticket_value v on v.organization_id = $1 and v.ticket_id = ${ticket}.id and v.field_id = ${bind(fieldId)}::bigint and v.value <> ''`
  // Somebody may hold several roles on a ticket. An index has these ids in their order; sorting them as texts would cost more.
  return `left join (
      select ticket_id, user_id::text as value from (
        select distinct a.ticket_id, a.user_id from assignment a where a.organization_id = $1 and a.project_id = $2
      ) held
    ) v on v.ticket_id = ${ticket}.id`
}

interface BoardText {
  group: Group
  /** SQL: CTEs, the last of them `counted` with the `total` of each `value`. */
  counted: string
  /** SQL: CTEs, among them `first` with the tickets that may be shown: `id`, `value`, `rank` and, with lanes, `lane`. */
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
  const lastOf = (place: string) => `(array_agg(${place} order by n desc) filter (where n <= (select most.n from most)))[1]`
  return `
  with ${counted}, most as (
    select ${perColumnOf('$4::int - 1')} as n from counted where ${isWanted('value')}
  ), ${first}, numbered as (
    select *, row_number() over by_rank as n, lag(id) over by_rank as before from first
    window by_rank as (partition by value order by ${hasLanes ? 'lane, ' : ''}rank, id desc)
  ), page as materialized (
    select * from numbered where ${tickets ?? 'n <= (select most.n from most) + 1'}
  )
  select coalesce((
    select json_agg(json_build_object('value', c.value, 'name', ${name}, 'total', c.total, 'ids', coalesce(p.ids, '[]'), 'before', coalesce(p.before, '[]'),
      'lane', coalesce(p.lane, '0'), 'rank', coalesce(p.rank, '0')) order by lower(unaccent(${name})), c.value)
    from counted c
    left join (
      select value, json_agg(id order by n) as ids, json_agg(before order by n) as before,
        ${hasLanes ? lastOf("coalesce(lane, 'Infinity')::text") : "'0'"} as lane, ${lastOf('rank::text')} as rank
      from page group by value
    ) p on p.value = c.value
    where ${isWanted('c.value')}
  ), '[]') as columns, ${hasLanes ? '(select lanes from lanes_in_order)' : "'[]'::json"} as lanes
  from (select $3::bigint as id) caller`
}
