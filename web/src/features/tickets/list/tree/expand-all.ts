import { limits } from '@tessera/contract/limits'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { queryClient } from '../../../../lib/calls/query-client.ts'
import { formatNumber } from '../../../../lib/display/format.ts'
import type { TicketView } from '../view/ticket-view.ts'
import { childrenQuery } from './children.ts'
import { hasChildren } from './rows.ts'
import { childrenShared } from './use-ticket-rows.ts'

/** Reads all levels below the tickets, one after the other, and returns the tickets to open. */
export async function expandAll(idProject: number, view: TicketView, tickets: readonly QueriedTicket[]): Promise<number[]> {
  const shared = childrenShared(idProject, view)
  const open = new Set<number>()
  let level = tickets
  while (level.length > 0) {
    const parents = level.filter(ticket => hasChildren(ticket) && !open.has(ticket.id))
    const shown = parents.slice(0, limits.openTickets - open.size)
    for (const { id } of shown) open.add(id)
    if (shown.length < parents.length) {
      notify.success(`The first ${formatNumber(limits.openTickets)} tickets with children are open`)
      break
    }
    const children = await Promise.all(shown.map(({ id }) => queryClient.fetchQuery({ ...childrenQuery(id, shared), staleTime: 10_000 })))
    level = children.flatMap(({ tickets }) => tickets)
  }
  return [...open]
}
