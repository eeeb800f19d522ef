import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { BlockedMark } from '../../../../components/ticket-mark/ticket-mark.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import type { Ticket } from '../../ticket.ts'

/** Whether an open ticket blocks this one; undefined if that depends on one which the person may not see. */
function hasOpenBlocker(links: Response<typeof getTicketLinks>) {
  const blockers = links.filter(({ Kind }) => Kind === 'blocked-by')
  if (blockers.some(({ Ticket }) => Ticket && Ticket.Phase !== 3 && !Ticket.Trashed)) return true
  return blockers.some(({ Ticket }) => Ticket === null) ? undefined : false
}

/** The mark of a blocked ticket. The links say it first: they are read again when a blocker changes, the ticket is not. */
export function BlockedState({ ticket }: { ticket: Ticket }) {
  const { idTicket, Blocked, Phase } = ticket
  const links = useQuery({ ...callQuery(getTicketLinks, { idTicket, References: 1 }), select: hasOpenBlocker })
  const isBlocked = links.data ?? Blocked === 1
  return isBlocked && Phase !== 3 && <BlockedMark />
}
