import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { suggestSearch } from '@tessera/contract/search'
import { useEffect, useState } from 'react'
import { callQuery } from '../../../lib/calls/api.ts'

export type Suggestion = Response<typeof suggestSearch>[number]

/** The text of a query and where it is being written. */
export interface Typed {
  text: string
  caret: number
}

const debounce = 60

/** What may stand at the caret; nothing without `typed`. Suggestions of the text before are never shown. */
export function useSuggestions(typed: Typed | undefined, idProject: number | undefined): readonly Suggestion[] {
  const [asked, ask] = useState<Typed>()
  useEffect(() => {
    const timer = setTimeout(ask, debounce, typed)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery({
    ...callQuery(suggestSearch, { Query: asked?.text ?? '', Caret: asked?.caret ?? 0, ...(idProject && { idProject }) }),
    enabled: asked !== undefined,
    staleTime: 30_000,
  })
  if (!data || !typed || typed !== asked) return []
  // What stands there already needs no suggestion.
  return data.filter(({ Text, From, To }) => typed.text.slice(From, To) !== Text)
}
