import type { LinkKind } from '@tessera/contract/tickets/links'

/** What a link is called at this end, in the order of choosing. */
export const kindWords: Record<LinkKind, string> = {
  relates: 'Relates to',
  blocks: 'Blocks',
  'blocked-by': 'Blocked by',
  duplicates: 'Duplicates',
  'duplicated-by': 'Duplicated by',
  precedes: 'Precedes',
  follows: 'Follows',
}
export const kinds = Object.keys(kindWords) as LinkKind[]
