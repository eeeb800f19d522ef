import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { post } from '../../../../lib/calls/api.ts'
import { queryClient } from '../../../../lib/calls/query-client.ts'
import { formatNumber } from '../../../../lib/display/format.ts'
import { isFiltered, type TicketView } from '../view/ticket-view.ts'
import { childrenQuery } from './children.ts'
import { hasChildren } from './rows.ts'
import { childrenShared } from './use-ticket-rows.ts'

/** Reads all levels below the tickets of a list and returns the tickets to open. */
export async function expandAll(list: Request<typeof queryTickets>, view: TicketView): Promise<number[]> {
  const shared = childrenShared(list.idProject, view)
  // The list may have loaded only its first pages, so its tickets with children are read again. `Subordinates` is a filter, which finds tickets of all
  // levels: unless the view has filters too, a query limits them to the list's own.
  const own = isFiltered(view) ? {} : { Query: list.idParent ? `parent:${list.idParent}` : 'is:root' }
  const { Tickets, NextCursor } = await post(queryTickets, { Subordinates: [1, 2, 3], ...own, ...list, Limit: limits.openTickets })
  const open = new Set<number>()
  let level: readonly QueriedTicket[] = Tickets
  while (level.length > 0) {
    const parents = level.filter(ticket => hasChildren(ticket) && !open.has(ticket.id))
    const shown = parents.slice(0, limits.openTickets - open.size)
    for (const { id } of shown) open.add(id)
    if (NextCursor !== null || shown.length < parents.length) {
      notify.success(`The first ${formatNumber(limits.openTickets)} tickets with children are open`)
      break
    }
    const children = await Promise.all(shown.map(({ id }) => queryClient.fetchQuery({ ...childrenQuery(id, shared), staleTime: 10_000 })))
    level = children.flatMap(({ tickets }) => tickets)
  }
  return [...open]
}
