import type { LiveEvent } from '@tessera/contract/projects/live'

/**
 * What a change is about, as far as queries differ in what concerns them. A `tree` has a ticket's descendants as well, `links` are those of two tickets,
 * and `beside` is what only some lists show of a ticket. `anything` is a change that names no ticket: of a project, its people, or many tickets at once.
 */
export type Kind = 'new' | 'ticket' | 'tree' | 'links' | 'comments' | 'reaction' | 'beside' | 'anything'

/** The calls that change one ticket, and the one that creates it. */
export const calls: Record<Exclude<Kind, 'anything'>, readonly string[]> = {
  new: ['create-new-ticket'],
  ticket: ['set-ticket-data', 'move-on-board'],
  tree: ['move-ticket', 'trash-ticket', 'restore-ticket', 'purge-ticket'],
  links: ['set-ticket-link', 'remove-ticket-link'],
  comments: ['set-ticket-comment', 'delete-comment', 'restore-comment'],
  reaction: ['set-comment-reaction'],
  beside: [
    'set-ticket-notification',
    'set-ticket-watcher',
    'move-ticket-watchers',
    'attachment-upload',
    'delete-attachment',
    'restore-attachment',
  ],
}
const kinds = new Map(Object.entries(calls).flatMap(([kind, names]) => names.map(name => [name, kind as Kind] as const)))

export function kindOf({ idTicket, kind: call }: LiveEvent): Kind {
  if (call === 'create-new-ticket') return 'new'
  return idTicket === undefined ? 'anything' : (kinds.get(call) ?? 'ticket')
}

/** Whether a change leaves every other ticket as it was, so that a board asks for this one alone. */
export function isOfOneTicket(change: LiveEvent): change is Required<LiveEvent> {
  return ['ticket', 'comments', 'reaction', 'beside'].includes(kindOf(change))
}
