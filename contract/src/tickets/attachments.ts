import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/attachments.ts'

export const attachmentUpload = mutation<typeof shapes.attachmentUpload, 'ticket'>('attachment-upload', {
  access: 'ticket',
  permission: permission.addAttachments,
  idempotent: true,
})
export const deleteAttachment = mutation<typeof shapes.deleteAttachment, 'ticket'>('delete-attachment', { access: 'ticket' })
export const restoreAttachment = mutation<typeof shapes.restoreAttachment, 'ticket'>('restore-attachment', { access: 'ticket' })
export const attachmentDownload = query<typeof shapes.attachmentDownload, 'session'>('attachment-download.php', {
  access: 'session',
  method: 'GET',
})
