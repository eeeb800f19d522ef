import { mutation, query } from '../call.ts'
import { limits } from '../limits.ts'
import type * as shapes from './shapes/bulk.ts'

export const previewBulkChange = mutation<typeof shapes.previewBulkChange, 'project'>('preview-bulk-change', {
  access: 'project',
  tells: 'nobody',
  bodyLimit: limits.ticketData,
})
export const applyBulkChange = mutation<typeof shapes.applyBulkChange, 'preview'>('apply-bulk-change', { access: 'preview' })
export const getBulkProgress = query<typeof shapes.getBulkProgress, 'project'>('get-bulk-progress', { access: 'project', passive: true })
export const stopBulkChange = mutation<typeof shapes.stopBulkChange, 'project'>('stop-bulk-change', { access: 'project' })
export const getChangeSetList = query<typeof shapes.getChangeSetList, 'project'>('get-change-set-list', { access: 'project' })
export const revertChangeSet = mutation<typeof shapes.revertChangeSet, 'change-set'>('revert-change-set', {
  access: 'change-set',
  tells: 'nobody',
  bodyLimit: limits.ticketData,
})
