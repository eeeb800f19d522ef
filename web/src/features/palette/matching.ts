import type { Phase } from '@tessera/contract/scalars'
import { folded, rankAmongMatches, wordsOf } from '../../lib/forms/best-matches.ts'

/** An entry of the palette. */
export interface Entry {
  id: string
  label: string
  /** The key of a ticket, before the label. */
  code?: string | undefined
  /** The phase of a ticket. */
  phase?: Phase | undefined
  /** Dimmed beside the label and searched too: a short code, a login. */
  detail?: string | undefined
  /** Searched, and not shown. */
  words?: string | undefined
  keys?: string | undefined
  /** Why it cannot be done. */
  refused?: string | undefined
  run: () => void
}
export interface Group {
  name: string
  entries: readonly Entry[]
}

/** The entries that contain all words of the text, the best first; refused ones come last. */
export function matching(entries: readonly Entry[], text: string, most = 50): Entry[] {
  const words = wordsOf(text)
  return entries
    .map(entry => ({ entry, rank: rankAmongMatches(folded(`${entry.label} ${entry.detail ?? ''} ${entry.words ?? ''}`), words) }))
    .filter(({ rank: found }) => found !== undefined)
    .sort((one, other) => Number(Boolean(one.entry.refused)) - Number(Boolean(other.entry.refused)) || (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ entry }) => entry)
    .slice(0, most)
}

/** `OPS-42`, `ops42`, `42`: tickets then come before anything else. */
export function isKey(text: string) {
  return /^\s*(\w+-|\w*[a-z_])?\d+\s*$/i.test(text)
}
