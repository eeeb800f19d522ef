import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, Id, IdInAddress } from '../../scalars.ts'

export const attachmentUpload = {
  summary: 'Adds one file: multipart form data with `idTicket` and `file`, in either order.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), id: Id, name: Type.String() }),
}
export const deleteAttachment = {
  summary: `Deletes an attachment: one's own with *Add attachments*, anybody's with *Manage project*. Texts show its name instead of the picture; nobody is mailed. The file is removed ${limits.deletedFileDays} days later.`,
  request: Closed({ idTicket: Id, idAttachment: Id }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** Comments and long texts of the ticket that show it. */
    Shown: Type.Integer({ minimum: 0 }),
  }),
}
export const restoreAttachment = {
  summary:
    'Restores a deleted attachment while its file exists: people restore what they deleted of their own, people with *Manage project* what others deleted.',
  request: deleteAttachment.request,
  response: Done,
}
export const attachmentDownload = {
  summary:
    "The file's bytes, as an attachment: `?id={attachment id}`. With `inline=1` a picture (JPEG, PNG, GIF, WebP) for display in a page; 415 for other files.",
  request: Closed({ id: IdInAddress, inline: Type.Optional(Type.Union([Type.Literal('0'), Type.Literal('1')])) }),
  response: Type.Any(),
}
