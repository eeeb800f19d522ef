import { mutation, query } from '../call.ts'
import { limits } from '../limits.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/comments.ts'

export const getTicketComments = query<typeof shapes.getTicketComments, 'ticket'>('get-ticket-comments', { access: 'ticket' })
/** What the screens ask for: the newest comments, with whether each may be edited. */
export function newestComments(idTicket: number) {
  return { idTicket, Editable: 1, Limit: limits.pageSize } as const
}
export const setTicketComment = mutation<typeof shapes.setTicketComment, 'ticket'>('set-ticket-comment', {
  access: 'ticket',
  permission: permission.comment,
  idempotent: true,
})
export const setCommentReaction = mutation<typeof shapes.setCommentReaction, 'comment'>('set-comment-reaction', {
  access: 'comment',
  permission: permission.comment,
})
export const deleteComment = mutation<typeof shapes.deleteComment, 'comment'>('delete-comment', { access: 'comment' })
export const restoreComment = mutation<typeof shapes.restoreComment, 'comment'>('restore-comment', { access: 'comment' })
export const getCommentHistory = query<typeof shapes.getCommentHistory, 'ticket'>('get-comment-history', { access: 'ticket' })
