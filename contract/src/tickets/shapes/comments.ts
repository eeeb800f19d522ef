import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, EpochSeconds, Flag, Id, Prose, Version } from '../../scalars.ts'

const Reaction = Type.Union([
  Type.Literal('+1'),
  Type.Literal('-1'),
  Type.Literal('laugh'),
  Type.Literal('hooray'),
  Type.Literal('confused'),
  Type.Literal('heart'),
  Type.Literal('rocket'),
  Type.Literal('eyes'),
])

export const setCommentReaction = {
  summary: "Adds or removes one of the caller's reactions to a comment. Nobody is mailed, and there is no history.",
  request: Closed({ idComment: Id, Reaction, Enabled: Flag }),
  response: Done,
}
export const getTicketComments = {
  summary:
    'The comments, newest first: with `Limit` a page of them, otherwise all, but at most the newest 10,000 and 16 MiB of text. With `Before`, the last idComment of an answer, the next ones. With `Editable: 1` each says whether the caller may edit it.',
  request: Closed({
    idTicket: Id,
    Editable: Type.Optional(Flag),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize })),
    Before: Type.Optional(Id),
  }),
  response: Type.Array(
    Type.Object({
      idComment: Id,
      DateCreated: EpochSeconds,
      Author: Type.String(),
      Comment: Type.String(),
      /** Versions of the text: 1 when never edited. */
      ChangeCount: Type.Integer({ minimum: 1 }),
      /** `Users`: names, the earliest first. `Mine`: the caller is one of them. */
      Reactions: Type.Array(Type.Object({ Reaction, Users: Type.Array(Type.String()), Mine: Flag })),
      /** Who deleted it; its text is empty then. */
      DeletedBy: Type.Optional(Type.String()),
      /** 1 when the caller wrote it and may edit it; present only on request. */
      Editable: Type.Optional(Flag),
    }),
  ),
}
export const setTicketComment = {
  summary:
    "Adds a comment, or with `idComment` edits one's own, as a new version. `Version` is the `ChangeCount` of the text that was edited: 409 `conflict` with the current `Version` and `Comment` if it has changed since.",
  request: Closed({ idTicket: Id, Comment: Prose(limits.comment), idComment: Type.Optional(Id), Version: Type.Optional(Version) }),
  /** `Version` as it is now, when the request had one. */
  response: Type.Object({ Success: Type.Literal(1), idComment: Id, Version: Type.Optional(Version) }),
}
export const deleteComment = {
  summary: "Deletes a comment: one's own with *Comment*, anybody's with *Manage project*. A placeholder remains; nobody is mailed.",
  request: Closed({ idComment: Id }),
  response: Done,
}
export const restoreComment = {
  summary: 'Restores a deleted comment: authors restore what they deleted themselves, people with *Manage project* what others deleted.',
  request: Closed({ idComment: Id }),
  response: Done,
}
export const getCommentHistory = {
  summary: "A comment's latest 100 versions, the latest first; with `Before`, the last Version of a page, the next ones.",
  request: Closed({ idTicket: Id, idComment: Id, Before: Type.Optional(Version) }),
  response: Type.Array(Type.Object({ Version: Type.Integer(), DateChanged: EpochSeconds, Author: Type.String(), Comment: Type.String() })),
}
