import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { searchTickets } from '@tessera/contract/tickets/search'
import { callQuery } from '../../../lib/calls/api.ts'
import { timeZone } from '../../../lib/display/zone.ts'
import { useDebounced } from '../../../lib/state/use-debounced.ts'
import { problemOfAnswer, problemOfText } from '../query-field/problem.ts'

/** In milliseconds. Short, because each letter aborts the previous call, so that only the last one costs anything. */
const debounce = 40
const most = 8

/** The results for a text, debounced. The previous results stay until then. */
export function useFound(text: string) {
  const wanted = text.trim()
  const asked = useDebounced(wanted, debounce)
  const local = problemOfText(asked)
  const isAsked = asked !== '' && !local
  const found = useQuery({
    ...callQuery(searchTickets, { Query: asked, Limit: most, Zone: timeZone() }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  return {
    /** Whether the results belong to this text. */
    isCurrent: asked === wanted && isAsked && found.isSuccess && !found.isPlaceholderData,
    /** Whether the results are those of the text before, because the server has not answered yet. */
    isStale: isAsked && found.isPlaceholderData,
    answer: isAsked && wanted !== '' && !found.error ? found.data : undefined,
    problem: wanted === '' ? undefined : (local ?? problemOfAnswer(found.error)),
    error: isAsked && found.error?.code !== 'query' ? found.error : null,
    retry: () => void found.refetch(),
  }
}
