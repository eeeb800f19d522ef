import type { Query, QueryClient } from '@tanstack/react-query'
import type { Call } from '@tessera/contract/call'
import { refetchAfter } from '../live/refetch-after.ts'
import { useCallMutation } from './use-call-mutation.ts'

interface OfTicket {
  idProject: number
  idTicket: number
}

/** A mutation of one ticket as a hook. Afterwards the page refetches what the change concerns, once. */
export function useTicketMutation<C extends Call<'mutation'>>(call: C, ticket: OfTicket, options?: { survivesReload?: boolean }) {
  return useCallMutation(call, queries => refetchTicketAfter(queries, call, ticket), options)
}

/**
 * Refetches what a change of the ticket concerns. A read of the ticket that is under way may be older than the change and starts over: its answer would
 * take the change off the page until then.
 */
export function refetchTicketAfter(queries: QueryClient, call: Call, { idProject, idTicket }: OfTicket) {
  // Not the next page of a list: the person has asked for it.
  const isOfTicket = ({ queryKey: [, asked], state }: Query) =>
    (asked as { idTicket?: number } | undefined)?.idTicket === idTicket && !state.fetchMeta?.fetchMore
  void queries.refetchQueries({ type: 'active', fetchStatus: 'fetching', predicate: isOfTicket })
  refetchAfter(queries, { idProject, idTicket, kind: call.name })
}
