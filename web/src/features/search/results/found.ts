import type { Response } from '@tessera/contract/call'
import { foldedWords } from '@tessera/contract/query-language/marks'
import { parse } from '@tessera/contract/query-language/parse'
import { wordsOf } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { formatNumber } from '../../../lib/display/format.ts'

export type Found = Response<typeof searchTickets>
export type FoundTicket = Found['Tickets'][number]

/** `12`; `1,000+` when there are more. */
export function formatTotal({ Total, TotalIsExact }: Pick<Found, 'Total' | 'TotalIsExact'>) {
  return `${formatNumber(Total)}${TotalIsExact ? '' : '+'}`
}
export function countOf(found: Found | undefined) {
  if (!found || found.Total === 0) return 'No tickets'
  return `${formatTotal(found)} ${found.Total === 1 ? 'ticket' : 'tickets'}`
}
/** The same for screen readers, most of which leave out a plus. */
export function spokenCount(found: Found | undefined) {
  return found && found.Total > 0 && !found.TotalIsExact ? `More than ${formatNumber(found.Total)} tickets` : countOf(found)
}

/** What to mark in the titles: the words of the query, and the similar words that were searched for. */
export function wordsToMark(query: string, also: readonly string[] = []): string[] {
  try {
    return foldedWords([...wordsOf(parse(query).where), ...also])
  } catch {
    return []
  }
}

/** Whether the text is the ticket's key: `ops42`, `OPS-42`, `42`. */
export function isKeyOf(text: string, { id, pcode }: Pick<FoundTicket, 'id' | 'pcode'>) {
  const key = text.trim().toLowerCase()
  const code = pcode.toLowerCase()
  return [`${id}`, `${code}${id}`, `${code}-${id}`].includes(key)
}
