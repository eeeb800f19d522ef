import * as contract from '@tessera/contract/board'
import type { Response } from '@tessera/contract/call'
import type { Phase } from '@tessera/contract/scalars'
import { type Db, run, statement, unpreparedStatement } from '../../db/db.ts'
import { int4, int8, json, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { invalid } from '../../lib/failure.ts'
import { clockOf, placed, reachOf, readQuery, ticketRows, withinTime } from '../search/queries.ts'
import { compile } from '../search/rules.ts'
import { personName } from '../tickets/queries.ts'
import { readBoardCursor, writeBoardCursor } from './rules.ts'

const usual = 50

export const queryBoard = implement(contract.queryBoard, async ({ db, scope, input }) => {
  const query = input.Query ?? ''
  const parsed = readQuery(query)
  const reach = await reachOf(db, scope, parsed)
  const clock = clockOf(input.Zone)
  const group = await groupOf(db, scope, input.Group)
  const after = readBoardCursor(input.Cursor)
  if (after && input.Value === undefined) throw invalid('Value', 'is required with a cursor')
  const limit = input.Limit ?? usual

  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId, limit + 1]
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const { condition } = placed(() => compile(parsed, reach, { projects: 'array[$2::bigint]', user: '$3::bigint', bind, clock }))
  const values = group.fieldId === undefined ? group.values : group.values.replace('$field', `${bind(group.fieldId)}::bigint`)
  const only = input.Value === undefined ? 'true' : `value = ${bind(String(input.Value))}`
  const rest = after ? `(rank, -id) > (${bind(after.rank)}::numeric, -${bind(after.id)}::bigint)` : 'true'
  const boardStatement = unpreparedStatement(
    { value: text, total: int4, ids: json<number[]>(), rank: text },
    `
    with caller as (select $3::bigint as id), found as materialized (
      select t.id, t.state_id, coalesce(r.rank, -t.id) as rank from ticket t join state st on st.organization_id = $1 and st.id = t.state_id
      left join board_rank r on r.organization_id = $1 and r.ticket_id = t.id
      where t.organization_id = $1 and t.project_id = $2 and t.trashed_at is null and ${condition}
    ), placed as materialized (
      select found.id, found.rank, coalesce(v.value, '') as value from found left join lateral (${values}) v on true
    ), numbered as (
      select id, rank, value, row_number() over (partition by value order by rank, id desc) as n from placed where ${only} and ${rest}
    )
    select p.value, p.total, coalesce(n.ids, '[]') as ids, coalesce(n.rank, '0') as rank
    from (select value, count(*)::int as total from placed where ${only} group by value) p
    left join (
      select value, json_agg(id order by n) as ids, (array_agg(rank::text order by n desc) filter (where n < $4::int))[1] as rank
      from numbered where n <= $4 group by value
    ) n on n.value = p.value
    cross join caller`,
  )
  const found = new Map((await withinTime(db, query, limited => run(limited, boardStatement, parameters))).map(row => [row.value, row]))
  const rows = new Map(
    (await ticketRows(db, scope, reach, [...new Set([...found.values()].flatMap(({ ids }) => ids.slice(0, limit)))])).map(row => [
      row.id,
      row,
    ]),
  )
  const columns = await columnsOf(db, scope, group, [...found.keys()])
  return {
    Columns: columns
      .filter(({ key }) => input.Value === undefined || key === String(input.Value))
      .map(({ key, Value, Label, Phase }) => {
        const { total = 0, ids = [], rank = '0' } = found.get(key) ?? {}
        const last = ids[limit - 1]
        return {
          Value,
          Label,
          ...(Phase === undefined ? {} : { Phase }),
          Total: total,
          Tickets: ids.slice(0, limit).flatMap(id => rows.get(id) ?? []),
          NextCursor: ids.length > limit && last !== undefined ? writeBoardCursor({ rank, id: last }) : null,
        }
      }),
  }
})

interface Group {
  kind: 'State' | 'Assignee' | 'field'
  fieldId?: number
  /** SQL: the columns in which ticket `found` stands, as text. */
  values: string
  options: { value: string; label: string }[]
}

const selectField = statement(
  { id: int8, options: json<Group['options']>() },
  'select f.id, f.options::json as options from field f where f.organization_id = $1 and f.project_id = $2 and f.key = $3 and f.type_id = 2',
)

async function groupOf(db: Db, { organizationId, projectId }: ProjectScope, name: string): Promise<Group> {
  if (name === 'State') return { kind: name, values: 'select found.state_id::text as value', options: [] }
  if (name === 'Assignee') {
    const values = 'select distinct a.user_id::text as value from assignment a where a.organization_id = $1 and a.ticket_id = found.id'
    return { kind: name, values, options: [] }
  }
  const [field] = await run(db, selectField, [organizationId, projectId, name])
  if (!field) throw invalid('Group', 'is neither State nor Assignee nor the key of a SELECT field of this project')
  const values = `select v.value from ticket_value v
    where v.organization_id = $1 and v.ticket_id = found.id and v.field_id = $field and v.value <> ''`
  return { kind: 'field', fieldId: field.id, values, options: field.options }
}

interface Column extends Pick<Response<typeof contract.queryBoard>['Columns'][number], 'Value' | 'Label' | 'Phase'> {
  key: string
}
const states = statement(
  { id: int8, name: text, phase: json<Phase>() },
  `select s.id, s.name, to_json(s.phase) as phase from state s
  where s.organization_id = $1 and s.project_id = $2 order by s.phase, s.position, s.id`,
)
const people = statement(
  { id: int8, name: text },
  `select u.id, ${personName} as name from user_account u where u.id = any($1) order by lower(${personName}), u.id`,
)

/** Every column that the board has, in its order: also those without a ticket, and those of values that are no option any more. */
async function columnsOf(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  { kind, options }: Group,
  present: readonly string[],
): Promise<Column[]> {
  if (kind === 'State') {
    const rows = await run(db, states, [organizationId, projectId])
    return rows.map(({ id, name, phase }) => ({ key: String(id), Value: id, Label: name, Phase: phase }))
  }
  const none: Column[] = [{ key: '', Value: '', Label: '' }]
  if (kind === 'Assignee') {
    const rows = await run(db, people, [present.filter(value => value !== '').map(Number)])
    return [...none, ...rows.map(({ id, name }) => ({ key: String(id), Value: id, Label: name }))]
  }
  const known = new Set(options.map(({ value }) => value))
  const strange = present.filter(value => value !== '' && !known.has(value)).map(value => ({ value, label: value }))
  return [...none, ...[...options, ...strange].map(({ value, label }) => ({ key: value, Value: value, Label: label }))]
}
