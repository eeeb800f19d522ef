import type { Call } from '@tessera/contract/call'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { attachmentUpload, deleteAttachment, restoreAttachment } from '@tessera/contract/tickets/attachments'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { deleteComment, restoreComment, setCommentReaction, setTicketComment } from '@tessera/contract/tickets/comments'
import { removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { moveTicket, purgeTicket, restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { moveTicketWatchers, setTicketNotification, setTicketWatcher } from '@tessera/contract/tickets/watchers'

/**
 * What a change is about, as far as queries differ in what concerns them. A `tree` has a ticket's descendants as well, `links` are those of two tickets,
 * and `beside` is what only some lists show of a ticket. `anything` is a change that names no ticket: of a project, its people, or many tickets at once.
 */
export type Kind = keyof typeof calls | 'anything'

/** The calls that change one ticket, and the one that creates it. */
export const calls = {
  new: [createNewTicket],
  ticket: [setTicketData, moveOnBoard],
  tree: [moveTicket, trashTicket, restoreTicket, purgeTicket],
  links: [setTicketLink, removeTicketLink],
  comments: [setTicketComment, deleteComment, restoreComment],
  reaction: [setCommentReaction],
  beside: [setTicketNotification, setTicketWatcher, moveTicketWatchers, attachmentUpload, deleteAttachment, restoreAttachment],
} satisfies Record<string, readonly Call[]>
/** The kinds of changes of one ticket. */
export const kinds = Object.keys(calls) as (keyof typeof calls)[]

export function kindOf({ idTicket, kind: call }: LiveEvent): Kind {
  if (idTicket === undefined && call !== createNewTicket.name) return 'anything'
  return kinds.find(kind => calls[kind].some(({ name }) => name === call)) ?? 'ticket'
}

/** Whether a change leaves every other ticket as it was, so that a board asks for this one alone. */
export function isOfOneTicket(change: LiveEvent): change is Required<LiveEvent> {
  return !['anything', 'new', 'tree', 'links'].includes(kindOf(change))
}
