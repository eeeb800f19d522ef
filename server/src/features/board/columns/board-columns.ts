import type { Request } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { type Db, run, statement } from '../../../db/db.ts'
import { bool, json, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import type { Bind } from '../../../lib/bind.ts'
import { invalid, notFound } from '../../../lib/failure.ts'
import { personName } from '../../tickets/assignees/person-name.ts'
import { requireKnown, shownColumns } from '../../tickets/columns/list-columns.ts'
import { isFrequentTitle, titleLike } from '../../tickets/finding/frequent-title.ts'
import type { Names } from '../../tickets/pages/group-order.ts'

/** What a board is grouped by. */
export interface Group {
  kind: 'State' | 'Assignee' | 'field'
  fieldId: number | undefined
  states: { id: number; name: string; position: number; phase: Phase; limit: number | null; holds: boolean }[]
  options: { value: string; label: string }[]
}

const lookUpRow = {
  short_code: text,
  frequent_title: bool,
  templates: json<[number, string][]>(),
  states: json<Group['states']>(),
  fields: json<{ id: number; key: string; typeId: number; options: Group['options'] }[]>(),
}
const lookUpStatement = statement(
  lookUpRow,
  `
  select p.short_code, ${isFrequentTitle('$4')} as frequent_title,
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
  const [row] = await run(db, lookUpStatement, [organizationId, projectId, keys, titleLike(input)])
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
  return { shortCode: row.short_code, isFrequentTitle: row.frequent_title, names, group }
}

/** SQL: a row `v` with the `value` of each column that the ticket is in; no row if it has no value. */
export function valuesOf(ticket: string, { kind, fieldId }: Group, bind: Bind) {
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

/** 400 for a value that no column of this board has: states and people are numbers, options are texts, and none is ''. */
export function requireValue({ Group, Value }: Pick<Request<typeof queryBoard>, 'Group' | 'Value'>) {
  if (Value === undefined) return
  const isId = typeof Value === 'number'
  if (Group === 'State' && !isId) throw invalid('Value', 'must be the id of a state')
  if (Group === 'Assignee' && !isId && Value !== '') throw invalid('Value', "must be the id of a person, or ''")
  if (Group !== 'State' && Group !== 'Assignee' && isId) throw invalid('Value', 'must be the value of an option as text')
}

/** SQL: the name of the person whose id this column holds as text. */
export const nameOf = (value: string) => `(select ${personName} from user_account u where u.id = nullif(${value}, '')::bigint)`
