import type { Response } from '@tessera/contract/call'
import { foldedWords } from '@tessera/contract/query-language/marks'
import { parse } from '@tessera/contract/query-language/parse'
import { wordsOf } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/search'

export type Found = Response<typeof searchTickets>
export type FoundTicket = Found['Tickets'][number]

/** What to mark in the titles: the words of the query, and those that were looked for besides. */
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
