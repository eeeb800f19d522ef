import * as Type from 'typebox'
import { limits } from '../limits.ts'
import { Closed, EpochSeconds, Flag, Id, LongName } from '../scalars.ts'

export const getTicketComments = {
  summary:
    'The newest 100 comments, newest first; `Before` is the last idComment of a page and answers the next. With `Editable: 1` each says whether the caller may edit it.',
  request: Closed({ idTicket: Id, Editable: Type.Optional(Flag), Before: Type.Optional(Id) }),
  response: Type.Array(
    Type.Object({
      idComment: Id,
      DateCreated: EpochSeconds,
      Author: Type.String(),
      Comment: Type.String(),
      /** Versions of the text: 1 when never edited. */
      ChangeCount: Type.Integer({ minimum: 1 }),
      /** 1 when the caller wrote it and may edit it; present only on request. */
      Editable: Type.Optional(Flag),
    }),
  ),
}
export const setTicketComment = {
  summary: 'Adds a comment, or with `idComment` writes a new version of an own one.',
  request: Closed({ idTicket: Id, Comment: LongName(limits.comment), idComment: Type.Optional(Id) }),
  response: Type.Object({ Success: Type.Literal(1), idComment: Id }),
}
export const getCommentHistory = {
  summary: "A comment's versions, the latest first.",
  request: Closed({ idTicket: Id, idComment: Id }),
  response: Type.Array(Type.Object({ Version: Type.Integer(), DateChanged: EpochSeconds, Author: Type.String(), Comment: Type.String() })),
}
