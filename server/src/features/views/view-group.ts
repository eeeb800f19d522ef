import { propertyType } from '@tessera/contract/projects/project-config'
import { keysOfGroup } from '@tessera/contract/projects/views'
import { invalid } from '../../lib/failure.ts'
import { requireGroup } from '../tickets/grouping/list-groups.ts'
import type { View } from './queries.ts'

/** Layouts of one kind are grouped by the same things. */
export function kindOf(layout: View['layout']) {
  return layout === 'calendar' || layout === 'timeline' ? layout : 'list'
}

/** 400 unless a view of this layout can be grouped so: a calendar by a DATE field, a timeline by two of them. */
export function requireViewGroup(layout: View['layout'], group: string, fields: ReadonlyMap<string, { typeId: number }>) {
  if (kindOf(layout) === 'list') return requireGroup({ Group: group }, fields)
  const keys = keysOfGroup(group)
  const areDates = keys.every(key => fields.get(key)?.typeId === propertyType.DATE)
  if (layout === 'calendar' && !(areDates && keys.length === 1)) throw invalid('Group', 'is not the key of a DATE field of this project')
  if (layout === 'timeline' && !(areDates && new Set(keys).size === 2))
    throw invalid('Group', 'must name two DATE fields of this project, as in start..due')
}
