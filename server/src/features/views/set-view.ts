import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/views'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { int2, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { type ProjectScope, requirePermission } from '../../lib/authorize.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure, invalid } from '../../lib/failure.ts'
import { requireReadable } from '../search/query/read-query.ts'
import { requireKnown } from '../tickets/columns/list-columns.ts'
import { chosen, lockViews, requireChangeable, requireFewerViews, requireFreeName, type View, viewChange, visibleViews } from './queries.ts'
import { kindOf, requireViewGroup } from './view-group.ts'

export const setView = implement(contract.setView, async ({ db, scope: asked, input, tellEverybody }) => {
  const scope = await lockViews(db, asked)
  const { userId } = scope
  const views = await visibleViews(db, scope)
  const [before = null] = input.idView === undefined ? [] : chosen(views, [input.idView])
  if (before) requireChangeable(scope, before)
  const after = changed(before, input, userId)
  // A view that others already use cannot become private.
  if (before?.shared && !after.shared && before.ownerId !== userId)
    throw new Failure('rule', 'Only the person who made a shared view can make it private')
  if (after.shared && after.isDefault && !(before?.shared && before.isDefault)) requirePermission(scope, permission.manageProject)
  // The stored query may name a field that no longer exists.
  if (input.Query !== undefined && input.Query !== before?.query) await requireReadable(db, scope, input.Query)

  await requireNames(db, scope, input, before, after)
  if (after.layout === 'board' && after.group === 'Assignee' && after.lanes === 'Assignee')
    throw invalid('Lanes', 'cannot be by assignee on a board by assignee')
  requireFreeName(views, after, before?.id)
  if (before?.shared !== after.shared) requireFewerViews(scope, views, after)

  if (after.isDefault) await clearDefault(db, scope, after)
  const id = before ? await updateView(db, scope, before, after, input) : await insertView(db, scope, after)
  if (before?.shared || after.shared) tellEverybody()
  await recordChanges(db, scope, viewChange(scope, id, before, { id, ...after }))
  return { Success: 1 as const, idView: id }
})

/** Of the project's shared views, and of each person's own, one is the default. Deleted ones lose it too, so that they do not bring it back. */
async function clearDefault(db: Db, { organizationId, projectId, userId }: ProjectScope, { shared }: Pick<View, 'shared'>) {
  await sql`
    update ticket_view set is_default = false
    where organization_id = ${organizationId} and project_id = ${projectId} and shared = ${shared} and (shared or owner_id = ${userId}) and is_default`.execute(
    db,
  )
}

/** The columns of a stored view that every save writes. */
function rowOf(view: Omit<View, 'id'>) {
  return {
    name: view.name,
    columns: JSON.stringify(view.columns),
    sort: JSON.stringify(view.sort),
    grouping: view.group,
    layout: view.layout,
    lanes: view.lanes,
    open: JSON.stringify(view.open),
    shared: view.shared,
    is_default: view.isDefault,
  }
}

async function insertView(db: Db, { organizationId, projectId }: ProjectScope, view: Omit<View, 'id'>) {
  const row = { ...rowOf(view), organization_id: organizationId, project_id: projectId, owner_id: view.ownerId, query: view.query }
  return (await db.insertInto('ticket_view').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function updateView(
  db: Db,
  { organizationId }: ProjectScope,
  { id }: View,
  after: Omit<View, 'id'>,
  { Query }: Request<typeof contract.setView>,
) {
  // A query that is not given may have been rewritten meanwhile: a label was renamed.
  const given = Query !== undefined && { query: after.query }
  await db
    .updateTable('ticket_view')
    .set({ ...rowOf(after), ...given })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  return id
}

/** The view after the change; what the input leaves out stays, and a new view has the plain values. */
function changed(before: View | null, input: Request<typeof contract.setView>, userId: number): Omit<View, 'id'> {
  const name = input.Name ?? before?.name
  if (name === undefined) throw invalid('Name', 'is required for a new view')
  const shared = input.Scope === undefined ? (before?.shared ?? false) : input.Scope === 'project'
  return {
    ownerId: before?.ownerId ?? userId,
    name,
    query: input.Query ?? before?.query ?? '',
    columns: input.Columns ?? before?.columns ?? [],
    sort: input.Sort ?? before?.sort ?? [],
    group: input.Group ?? before?.group ?? '',
    layout: input.Layout ?? before?.layout ?? 'list',
    lanes: input.Lanes === undefined ? (before?.lanes ?? '') : lanesOf(input.Lanes),
    open: input.Open ?? before?.open ?? [],
    shared,
    // A view that becomes shared or private does not stay the default: one person's choice is not everybody's.
    isDefault: input.Default === undefined ? before !== null && before.shared === shared && before.isDefault : input.Default === 1,
  }
}

function lanesOf(lanes: 0 | 1 | 'Assignee' | 'Label') {
  if (lanes === 1) return 'Parent'
  return lanes === 0 ? '' : lanes
}

/** 400 for a column, an order or a group that the project does not have. What the view has stays: a field may have been deleted since. */
async function requireNames(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  { Columns, Sort }: Request<typeof contract.setView>,
  before: View | null,
  { group, layout }: Pick<View, 'group' | 'layout'>,
) {
  const rows = await queryRows(db, { key: text, typeId: int2 })`
    select key, type_id as "typeId" from field where organization_id = ${organizationId} and project_id = ${projectId}`
  const known = new Set([...rows.map(({ key }) => key), ...(before?.columns ?? []), ...(before?.sort ?? []).map(({ Column }) => Column)])
  requireKnown({ ...(Columns && { Columns }), ...(Sort && { Sort }) }, known)
  // Each kind of layout is grouped by something else: a change of the layout may ask for another group.
  if (group && (group !== before?.group || kindOf(layout) !== kindOf(before.layout)))
    requireViewGroup(layout, group, new Map(rows.map(field => [field.key, field])))
}
