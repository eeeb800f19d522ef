import * as Type from 'typebox'
import { Closed, Id, IdInAddress } from '../scalars.ts'

export const attachmentUpload = {
  summary: 'Adds one file: multipart form data with `idTicket` and `file`, in either order.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), id: Id, name: Type.String() }),
}
export const attachmentDownload = {
  summary: "The file's bytes, as an attachment: `?id={attachment id}`.",
  request: Closed({ id: IdInAddress }),
  response: Type.Any(),
}
