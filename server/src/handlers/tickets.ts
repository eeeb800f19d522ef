/** The handler of each call about tickets and what belongs to them. */
import type * as assignees from '@tessera/contract/tickets/assignees'
import type * as attachments from '@tessera/contract/tickets/attachments'
import type * as board from '@tessera/contract/tickets/board'
import type * as bulk from '@tessera/contract/tickets/bulk'
import type * as comments from '@tessera/contract/tickets/comments'
import type * as links from '@tessera/contract/tickets/links'
import type * as moving from '@tessera/contract/tickets/moving'
import type * as search from '@tessera/contract/tickets/search'
import type * as tickets from '@tessera/contract/tickets/tickets'
import type * as watchers from '@tessera/contract/tickets/watchers'
import { moveOnBoard } from '../features/board/move-on-board.ts'
import { queryBoard } from '../features/board/query-board.ts'
import { exportTickets } from '../features/search/exporting/export-tickets.ts'
import { searchTickets } from '../features/search/search-tickets.ts'
import { suggestSearch } from '../features/search/suggest-search.ts'
import { getProjectRoleList } from '../features/tickets/assignees/get-project-role-list.ts'
import { getProjectUserList } from '../features/tickets/assignees/get-project-user-list.ts'
import { getProjectUserroleList } from '../features/tickets/assignees/get-project-userrole-list.ts'
import { getTicketRolelist } from '../features/tickets/assignees/get-ticket-rolelist.ts'
import { attachmentDownload } from '../features/tickets/attachments/attachment-download.ts'
import { attachmentUpload } from '../features/tickets/attachments/attachment-upload.ts'
import { applyBulkChange } from '../features/tickets/bulk/apply-bulk-change.ts'
import { getChangeSetList } from '../features/tickets/bulk/get-change-set-list.ts'
import { previewBulkChange } from '../features/tickets/bulk/preview-bulk-change.ts'
import { revertChangeSet } from '../features/tickets/bulk/revert-change-set.ts'
import { getBulkProgress } from '../features/tickets/bulk/steps/get-bulk-progress.ts'
import { stopBulkChange } from '../features/tickets/bulk/steps/stop-bulk-change.ts'
import { deleteComment } from '../features/tickets/comments/delete-comment.ts'
import { getCommentHistory } from '../features/tickets/comments/get-comment-history.ts'
import { getTicketComments } from '../features/tickets/comments/get-ticket-comments.ts'
import { restoreComment } from '../features/tickets/comments/restore-comment.ts'
import { setCommentReaction } from '../features/tickets/comments/set-comment-reaction.ts'
import { setTicketComment } from '../features/tickets/comments/set-ticket-comment.ts'
import { createNewTicket } from '../features/tickets/create-new-ticket.ts'
import { getTicketByKey } from '../features/tickets/get-ticket-by-key.ts'
import { getTicketData } from '../features/tickets/get-ticket-data.ts'
import { getTicketHistory } from '../features/tickets/history/get-ticket-history.ts'
import { findTickets } from '../features/tickets/links/find-tickets.ts'
import { getTicketLinks } from '../features/tickets/links/get-ticket-links.ts'
import { removeTicketLink } from '../features/tickets/links/remove-ticket-link.ts'
import { setTicketLink } from '../features/tickets/links/set-ticket-link.ts'
import { getTicketList } from '../features/tickets/listing/get-ticket-list.ts'
import { queryTickets } from '../features/tickets/listing/query-tickets.ts'
import { getMentionableUsers } from '../features/tickets/mentions/get-mentionable-users.ts'
import { getTextNames } from '../features/tickets/mentions/get-text-names.ts'
import { moveTicket } from '../features/tickets/moving/move-ticket.ts'
import { moveTickets } from '../features/tickets/moving/move-tickets.ts'
import { setTicketData } from '../features/tickets/saving/set-ticket-data.ts'
import { getTicketWatchers } from '../features/tickets/subscriptions/get-ticket-watchers.ts'
import { moveTicketWatchers } from '../features/tickets/subscriptions/move-ticket-watchers.ts'
import { setTicketNotification } from '../features/tickets/subscriptions/set-ticket-notification.ts'
import { setTicketWatcher } from '../features/tickets/subscriptions/set-ticket-watcher.ts'
import { getTicketTrash } from '../features/tickets/trash/get-ticket-trash.ts'
import { purgeTicket } from '../features/tickets/trash/purge-ticket.ts'
import { restoreTicket } from '../features/tickets/trash/restore-ticket.ts'
import { trashTicket } from '../features/tickets/trash/trash-ticket.ts'
import type { Handlers } from '../http/implement.ts'

export const ticketHandlers = {
  applyBulkChange,
  attachmentDownload,
  attachmentUpload,
  createNewTicket,
  deleteComment,
  exportTickets,
  findTickets,
  getBulkProgress,
  getChangeSetList,
  getCommentHistory,
  getMentionableUsers,
  getProjectRoleList,
  getProjectUserList,
  getProjectUserroleList,
  getTextNames,
  getTicketByKey,
  getTicketComments,
  getTicketData,
  getTicketHistory,
  getTicketLinks,
  getTicketList,
  getTicketRolelist,
  getTicketTrash,
  getTicketWatchers,
  moveOnBoard,
  moveTicket,
  moveTicketWatchers,
  moveTickets,
  previewBulkChange,
  purgeTicket,
  queryBoard,
  queryTickets,
  removeTicketLink,
  restoreComment,
  restoreTicket,
  revertChangeSet,
  searchTickets,
  setCommentReaction,
  setTicketComment,
  setTicketData,
  setTicketLink,
  setTicketNotification,
  setTicketWatcher,
  stopBulkChange,
  suggestSearch,
  trashTicket,
} satisfies Handlers<
  typeof assignees &
    typeof attachments &
    typeof board &
    typeof bulk &
    typeof comments &
    typeof links &
    typeof search &
    typeof moving &
    typeof tickets &
    typeof watchers
>
