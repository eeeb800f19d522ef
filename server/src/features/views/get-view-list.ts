import * as contract from '@tessera/contract/projects/views'
import { implement } from '../../http/implement.ts'
import { requireZone } from '../search/dates/zone.ts'
import { visibleViews } from './queries.ts'
import { detailsOf } from './view-details.ts'

export const getViewList = implement(contract.getViewList, async ({ db, scope, input }) => {
  requireZone(input.Zone)
  const views = await visibleViews(db, scope)
  // A person's own default takes precedence over the project's.
  const opening = views.find(view => view.isDefault && !view.shared) ?? views.find(view => view.isDefault)
  const details = await detailsOf(db, scope, views, { isCounted: input.Counts === 1, zone: input.Zone })
  return views.map((view, index) => ({
    idView: view.id,
    Name: view.name,
    Query: view.query,
    Columns: view.columns,
    Sort: view.sort,
    Group: view.group,
    Layout: view.layout,
    ...(view.lanes && { Lanes: view.lanes === 'Parent' ? (1 as const) : view.lanes }),
    ...(view.open.length > 0 && { Open: view.open }),
    Scope: view.shared ? ('project' as const) : ('private' as const),
    Mine: view.ownerId === scope.userId ? (1 as const) : (0 as const),
    Default: view === opening ? (1 as const) : (0 as const),
    ...details[index],
  }))
})
