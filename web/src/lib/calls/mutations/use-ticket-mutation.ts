import type { Call } from '@tessera/contract/call'
import { refetchAfter } from '../live/refetch-after.ts'
import { useCallMutation } from './use-call-mutation.ts'

/** A mutation of one ticket as a hook. Afterwards the page refetches what the change concerns, once. */
export function useTicketMutation<C extends Call<'mutation'>>(
  call: C,
  { idProject, idTicket }: { idProject: number; idTicket: number },
  options?: { survivesReload?: boolean },
) {
  return useCallMutation(call, queries => refetchAfter(queries, { idProject, idTicket, kind: call.name }), options)
}
