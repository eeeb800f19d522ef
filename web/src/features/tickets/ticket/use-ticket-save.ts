import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { useRef, useState } from 'react'
import { notify } from '../../../components/toaster/toaster.tsx'
import { type CallError, callQuery, SessionTimedOut } from '../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../lib/calls/mutations/use-ticket-mutation.ts'
import { saveRequest, type Ticket, withSaved } from '../ticket.ts'
import type { useTicketDraft } from './use-ticket-draft.ts'

/** Sends the changes of a ticket and shows the ticket as saved. */
export function useTicketSave(ticket: Ticket, draft: ReturnType<typeof useTicketDraft>) {
  const { idTicket, idProject, pcode } = ticket
  const queries = useQueryClient()
  const save = useTicketMutation(setTicketData, ticket)
  const [problem, setProblem] = useState<CallError>()
  const isSending = useRef(false)

  // Not with callbacks of `mutate`: they are not called when the page is left meanwhile, and the stored text would be offered again.
  const send = async () => {
    // The second press of a double click comes before SAVE is drawn as disabled.
    if (isSending.current) return
    isSending.current = true
    const sent = draft.changed
    const request = saveRequest(idTicket, sent, ticket.Version)
    setProblem(undefined)
    try {
      const answer = await save.mutateAsync(request)
      const states = queries.getQueryData(callQuery(getTicketStateList, { idProject }).queryKey) ?? ticket.OutputStates
      const labels = queries.getQueryData(callQuery(getLabelList, { idProject }).queryKey)
      draft.saved(sent)
      queries.setQueryData(callQuery(getTicketData, { idTicket }).queryKey, now => now && withSaved(now, request, answer, states, labels))
      notify.clear(messages.ticketSaveFailed(pcode, idTicket))
      notify.success(messages.ticketSaved(pcode, idTicket))
    } catch (refusal) {
      explain(refusal as CallError)
    }
    isSending.current = false
  }
  const explain = (refusal: CallError) => {
    if (refusal instanceof SessionTimedOut) return
    notify.error(messages.ticketSaveFailed(pcode, idTicket))
    // The bar above already says so.
    if (refusal.code !== 'network') setProblem(refusal)
    // Shows the stored values beside those that were refused, or what was deleted: the ticket, or something that the save names.
    if (refusal.status === 409 || refusal.status === 404) void queries.invalidateQueries()
  }
  return {
    send: () => void send(),
    isPending: save.isPending,
    /** Why the server refused the last save. */
    problem,
    dismissProblem: () => setProblem(undefined),
  }
}
