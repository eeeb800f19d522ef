import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { as, bool, int8, jsonb, type RowOf, text } from '../../db/shape.ts'
import { holds, type ProjectScope, requireOpen, requirePermission, requireStillOpen } from '../../lib/authorize.ts'
import type { Change } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'

const viewShape = {
  id: int8,
  ownerId: int8,
  name: text,
  query: text,
  columns: jsonb<string[]>(),
  sort: jsonb<{ Column: string; Direction: 'asc' | 'desc' }[]>(),
  group: text,
  layout: as<'tree' | 'list' | 'board' | 'calendar' | 'timeline'>(text),
  /** What the lanes of a board are by; '' without lanes. */
  lanes: as<'' | 'Parent' | 'Assignee' | 'Label'>(text),
  open: jsonb<number[]>(),
  shared: bool,
  isDefault: bool,
}
export type View = RowOf<typeof viewShape>

/** Changes of a project's views run one at a time. Returns the scope with the caller's rights as of now. */
export async function lockViews(db: Db, scope: ProjectScope): Promise<ProjectScope> {
  requireOpen(scope)
  await sql`select pg_advisory_xact_lock(hashtextextended('views', ${scope.projectId}::bigint))`.execute(db)
  return requireStillOpen(db, scope)
}

/** The views that the caller may open, or could before they were deleted less than a day ago: the shared ones and their own, in their order. */
export async function visibleViews(db: Db, { organizationId, projectId, userId }: ProjectScope, deleted = false): Promise<View[]> {
  return queryRows(db, viewShape)`
    select v.id, v.owner_id as "ownerId", v.name, v.query, v.columns, v.sort, v.grouping as "group", v.layout, v.lanes, v.open, v.shared, v.is_default as "isDefault"
    from ticket_view v
    left join ticket_view_order o on o.organization_id = ${organizationId} and o.project_id = ${projectId} and o.user_id = ${userId}
    where v.organization_id = ${organizationId} and v.project_id = ${projectId} and (v.deleted_at is not null) = ${deleted}::boolean
      and (v.deleted_at is null or v.deleted_at >= now() - interval '1 day') and (v.shared or v.owner_id = ${userId})
    order by array_position(o.view_ids, v.id) nulls last, lower(unaccent(v.name)), v.id`
}

/** Those of the views with these ids; 404 unless the caller may open them all. */
export function chosen(views: readonly View[], ids: readonly number[]): View[] {
  return ids.map(id => {
    const view = views.find(each => each.id === id)
    if (!view) throw notFound()
    return view
  })
}

/** A shared view is changed by who made it, or by who manages the project. */
export function requireChangeable(scope: ProjectScope, view: Pick<View, 'ownerId'>) {
  if (view.ownerId !== scope.userId) requirePermission(scope, permission.manageProject)
}

/** 422 `duplicate` when a view that the caller may open has the name: among the shared ones, or among their own. */
export function requireFreeName(views: readonly View[], { name, shared }: Pick<View, 'name' | 'shared'>, id?: number) {
  const isTaken = views.some(view => view.id !== id && view.shared === shared && view.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new Failure('duplicate', `There is already a view named ${name}`)
}

/** 422 when one more private or shared view would be too many. Views that others share do not count against private ones. */
export function requireFewerViews(scope: ProjectScope, present: readonly View[], { shared }: Pick<View, 'shared'>) {
  const [common, own] = [present.filter(view => view.shared), present.filter(view => view.ownerId === scope.userId)]
  if (!shared && own.filter(view => !view.shared).length >= limits.views)
    throw new Failure('rule', `You can have at most ${limits.views} private views in a project`)
  if (shared && common.length >= limits.sharedViews) throw new Failure('rule', `A project has at most ${limits.sharedViews} shared views`)
  if (shared && !holds(scope, permission.manageProject) && own.filter(view => view.shared).length >= limits.sharedViewsOfPerson)
    throw new Failure('rule', `Without Manage project you can share at most ${limits.sharedViewsOfPerson} views in a project`)
}

/** History of a shared view; private views have none. */
export function viewChange({ projectId }: ProjectScope, id: number, before: View | null, after: View | null): Change[] {
  const text = (view: View | null) => (view?.shared ? JSON.stringify({ ...view, id: undefined }) : null)
  if (text(before) === text(after)) return []
  return [{ subject: 'view', subjectId: id, projectId, field: 'View', before: text(before), after: text(after) }]
}
