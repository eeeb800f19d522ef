import type { LinkKind } from '@tessera/contract/tickets/links'

/** A link as it is stored, and what its other end calls it. */
const kinds: Record<LinkKind, { stored: string; isReverse: boolean; reverse: LinkKind }> = {
  blocks: { stored: 'blocks', isReverse: false, reverse: 'blocked-by' },
  'blocked-by': { stored: 'blocks', isReverse: true, reverse: 'blocks' },
  duplicates: { stored: 'duplicates', isReverse: false, reverse: 'duplicated-by' },
  'duplicated-by': { stored: 'duplicates', isReverse: true, reverse: 'duplicates' },
  relates: { stored: 'relates', isReverse: false, reverse: 'relates' },
  precedes: { stored: 'precedes', isReverse: false, reverse: 'follows' },
  follows: { stored: 'precedes', isReverse: true, reverse: 'precedes' },
}
/** The order in which links are shown. */
export const shownKinds = Object.keys(kinds) as LinkKind[]

export interface Edge {
  from: number
  to: number
}

/** How the link is stored: once, in one direction. */
export function storedLink(ticketId: number, otherId: number, kind: LinkKind): Edge & { kind: string } {
  const { stored, isReverse } = kinds[kind]
  const isTurned = stored === 'relates' ? otherId < ticketId : isReverse
  return isTurned ? { from: otherId, to: ticketId, kind: stored } : { from: ticketId, to: otherId, kind: stored }
}

/** What one of a stored link's ends calls it. */
export function kindSeenFrom(ticketId: number, { from, kind }: { from: number; kind: string }): LinkKind {
  const seen = kind as LinkKind
  return from === ticketId ? seen : kinds[seen].reverse
}

/** Links of these kinds must not lead back to where they begin. */
export function isOrdered(storedKind: string): storedKind is 'blocks' | 'precedes' {
  return storedKind === 'blocks' || storedKind === 'precedes'
}
