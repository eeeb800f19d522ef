import type { Query } from '@tanstack/react-query'
import type { Call } from '@tessera/contract/call'
import { refetchAfter } from '../live/refetch-after.ts'
import { useCallMutation } from './use-call-mutation.ts'

/**
 * A mutation of one ticket as a hook. Afterwards the page refetches what the change concerns, once. A read of the ticket that is under way may be older
 * than the change and starts over: its answer would take the change off the page until then.
 */
export function useTicketMutation<C extends Call<'mutation'>>(
  call: C,
  { idProject, idTicket }: { idProject: number; idTicket: number },
  options?: { survivesReload?: boolean },
) {
  // Not the next page of a list: the person has asked for it.
  const isOfTicket = ({ queryKey: [, asked], state }: Query) =>
    (asked as { idTicket?: number } | undefined)?.idTicket === idTicket && !state.fetchMeta?.fetchMore
  return useCallMutation(
    call,
    queries => {
      void queries.refetchQueries({ type: 'active', fetchStatus: 'fetching', predicate: isOfTicket })
      refetchAfter(queries, { idProject, idTicket, kind: call.name })
    },
    options,
  )
}
