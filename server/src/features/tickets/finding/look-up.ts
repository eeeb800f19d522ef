import type { Phase } from '@tessera/contract/scalars'
import { type Db, run, statement, unpreparedStatement } from '../../../db/db.ts'
import { bool, int4, json, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { bindTo } from '../../../lib/bind.ts'
import { notFound } from '../../../lib/failure.ts'
import { clockOf, requireZone } from '../../search/dates/zone.ts'
import { reachOf, readQuery } from '../../search/query/read-query.ts'
import { withinTime, withinUsualTime } from '../../search/query/within-time.ts'
import { requireKnown, shownColumns, sortedKeys } from '../columns/list-columns.ts'
import { type GroupField, groupedKeys, requireGroup } from '../grouping/list-groups.ts'
import type { Names } from '../pages/group-order.ts'
import type { AskedQuery, Input, Query } from './filters.ts'
import { foundTickets } from './found-tickets.ts'
import { isFrequentTitle, titleLike } from './frequent-title.ts'

const lookUpRow = {
  short_code: text,
  frequent_title: bool,
  parent: bool,
  templates: json<[number, string][]>(),
  states: json<[id: number, position: number, phase: Phase, name: string][]>(),
  groups: json<[number, number, boolean, number][]>(),
  fields: json<[id: number, key: string, typeId: number, options: GroupField['options'] | null][]>(),
}
const lookUpStatement = statement(
  lookUpRow,
  `
  select p.short_code, ${isFrequentTitle('$6')} as frequent_title,
    $3::bigint is null or exists (select 1 from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = $3) as parent,
    coalesce((select json_agg(json_build_array(id, name)) from template where organization_id = $1 and project_id = $2), '[]') as templates,
    coalesce((select json_agg(json_build_array(id, position, phase, name)) from state where organization_id = $1 and project_id = $2), '[]') as states,
    coalesce((select json_agg(json_build_array(template_id, state_id, root, tickets)) from (
      select template_id, state_id, root, sum(tickets) as tickets from ticket_tally where organization_id = $1 and project_id = $2
      group by template_id, state_id, root having sum(tickets) > 0) g), '[]') as groups,
    coalesce((select json_agg(json_build_array(id, key, type_id, case when key = $5 then options end)) from field
      where organization_id = $1 and project_id = $2 and key = any($4::text[])), '[]') as fields
  from project p where p.organization_id = $1 and p.id = $2`,
)

type LookedUp = Omit<Query, 'order' | 'limit' | 'asked'>

/** 404 for a parent, template or state that the project does not have. */
export async function lookUp(db: Db, { organizationId, projectId }: ProjectScope, input: Input): Promise<LookedUp> {
  const [grouped] = groupedKeys(input)
  const keys = [...shownColumns(input).keys, ...sortedKeys(input)]
  const [row] = await run(db, lookUpStatement, [organizationId, projectId, input.idParent ?? null, keys, grouped ?? '', titleLike(input)])
  if (!row?.parent) throw notFound()
  const names: Names = {
    templates: new Map(row.templates),
    states: new Map(row.states.map(([id, position, phase, name]) => [id, { position, phase, name }])),
  }
  if (input.Types?.some(id => !names.templates.has(id))) throw notFound()
  if (input.States?.some(id => !names.states.has(id))) throw notFound()
  const fields = new Map(row.fields.map(([id, key, typeId, options]) => [key, { id, typeId, options: options ?? [] }]))
  requireGroup(input, fields)
  requireKnown(input, new Set(fields.keys()))
  return {
    shortCode: row.short_code,
    isFrequentTitle: row.frequent_title,
    names,
    fields,
    groups: row.groups.map(([templateId, stateId, root, tickets]) => ({ templateId, stateId, root, tickets })),
  }
}

/** The parsed query, and what it may name. */
export async function askedQuery(db: Db, scope: ProjectScope, { Query = '', Zone }: Input): Promise<AskedQuery | undefined> {
  requireZone(Zone)
  if (Query.trim() === '') return undefined
  const parsed = readQuery(Query)
  return { parsed, reach: await reachOf(db, scope, parsed), clock: clockOf(Zone) }
}

/** The ids of the tickets in the list of this input, at most `limit`, and how many there are. */
export async function listedIds(db: Db, scope: ProjectScope, input: Input, limit: number) {
  const { organizationId, projectId, userId } = scope
  const asked = await askedQuery(db, scope, input)
  const known = await lookUp(db, scope, input)
  const parameters: unknown[] = [organizationId, projectId, userId]
  const bind = bindTo(parameters)
  const found = foundTickets(input, { ...known, asked }, bind)
  const statement = unpreparedStatement(
    { ids: json<number[]>(), total: int4 },
    // Not every filter uses $3, and PostgreSQL cannot infer the type of an unused parameter.
    `with recursive ${found}
    select coalesce((select json_agg(id) from (select id from found where $3::bigint is not null order by id limit ${bind(limit)}) listed), '[]') as ids,
      (select count(*)::int from found) as total`,
  )
  const read = (from: Db) => run(from, statement, parameters)
  const [row] = await (asked ? withinTime(db, input.Query ?? '', read) : withinUsualTime(read(db)))
  return row ?? { ids: [], total: 0 }
}
