import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/views.ts'

/** The keys in the `Group` of a view: a timeline has two of them, `start..due`. */
export function keysOfGroup(group: string): string[] {
  return group.split('..').filter(key => key !== '')
}

export const getViewList = query<typeof shapes.getViewList, 'project'>('get-view-list', { access: 'project' })
export const setView = mutation<typeof shapes.setView, 'project'>('set-view', { access: 'project', idempotent: true, tells: 'caller' })
export const setViewOrder = mutation<typeof shapes.setViewOrder, 'project'>('set-view-order', { access: 'project', tells: 'caller' })
export const restoreViews = mutation<typeof shapes.restoreViews, 'project'>('restore-views', { access: 'project', tells: 'caller' })
export const deleteViews = mutation<typeof shapes.deleteViews, 'project'>('delete-views', { access: 'project', tells: 'caller' })
