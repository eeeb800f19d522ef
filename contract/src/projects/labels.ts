import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/labels.ts'

export type { TicketLabel } from './shapes/labels.ts'

/** The color of a label that was created without one. */
export const labelColor = '#607d8b'

export const getLabelList = query<typeof shapes.getLabelList, 'project'>('get-label-list', { access: 'project' })
export const setLabel = mutation<typeof shapes.setLabel, 'project'>('set-label', {
  access: 'project',
  permission: permission.manageFields,
  idempotent: true,
})
export const deleteLabels = mutation<typeof shapes.deleteLabels, 'project'>('delete-labels', {
  access: 'project',
  permission: permission.manageFields,
})
export const restoreLabels = mutation<typeof shapes.restoreLabels, 'project'>('restore-labels', {
  access: 'project',
  permission: permission.manageFields,
})
