import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { suggestSearch } from '@tessera/contract/tickets/search'
import { callQuery } from '../../../lib/calls/api.ts'
import { useDebounced } from '../../../lib/state/use-debounced.ts'

export type Suggestion = Response<typeof suggestSearch>[number]

/** The text of a query and the position of the caret. */
export interface Typed {
  text: string
  caret: number
}

const debounce = 60

/** Suggestions at the caret; none without `typed`. Never shows suggestions for an earlier text. */
export function useSuggestions(typed: Typed | undefined, idProject: number | undefined): readonly Suggestion[] {
  const asked = useDebounced(typed, debounce)
  const { data } = useQuery({
    ...callQuery(suggestSearch, { Query: asked?.text ?? '', Caret: asked?.caret ?? 0, ...(idProject && { idProject }) }),
    enabled: asked !== undefined,
    staleTime: 30_000,
  })
  if (!data || !typed || typed !== asked) return []
  // Leaves out what is already there.
  return data.filter(({ Text, From, To }) => typed.text.slice(From, To) !== Text)
}
