import * as Type from 'typebox'
import { mutation, query } from './call.ts'
import { permission } from './permissions.ts'
import { Closed, Id, IdInAddress } from './scalars.ts'

export const attachmentUpload = mutation('attachment-upload', {
  summary: 'Adds one file: multipart form data with `idTicket` and `file`, in either order.',
  access: 'ticket',
  permission: permission.addAttachments,
  idempotent: true,
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), id: Id, name: Type.String() }),
})
export const attachmentDownload = query('attachment-download.php', {
  summary: "The file's bytes, as an attachment: `?id={attachment id}`.",
  access: 'session',
  method: 'GET',
  request: Closed({ id: IdInAddress }),
  response: Type.Any(),
})
