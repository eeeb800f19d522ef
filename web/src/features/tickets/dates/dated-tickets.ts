import { queryOptions } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import type { Tree } from '@tessera/contract/query-language/tree'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { CallError, post } from '../../../lib/calls/api.ts'
import { isInBackground } from '../../../lib/calls/background.ts'
import { timeZone } from '../../../lib/display/zone.ts'
import { plainView, type TicketView, viewRequest, writeView } from '../list/view/ticket-view.ts'

/** The query of the view, limited by a condition; as it is if it cannot be read, so that the server says why. */
function limited(query: string, condition: Tree, hasOrder: boolean) {
  try {
    const { where, sort } = parse(query)
    return print({ where: where ? { kind: 'and', of: [where, condition] } : condition, sort: hasOrder ? sort : [] })
  } catch {
    return query
  }
}

export type DatedRequest = Request<typeof queryTickets>

/**
 * The request for the view's tickets that meet the condition, with the values of these DATE fields: one page, in the order of the first. Each
 * key of the order is looked up for every ticket found, so there is no second one.
 */
export function datedRequest(idProject: number, view: TicketView, condition: Tree, keys: readonly string[]): DatedRequest {
  const { Sort: _, Columns: __, Query: ___, ...filters } = viewRequest(view)
  return {
    ...filters,
    idProject,
    Query: limited(view.query, condition, false),
    Zone: timeZone(),
    Columns: [...keys],
    Sort: keys.slice(0, 1).map(key => ({ Column: key, Direction: 'asc' })),
    Limit: limits.pageSizeMax,
  }
}

export interface DatedTickets {
  tickets: QueriedTicket[]
  total: number
  /** From this day of the first field on there may be more tickets than were read. */
  cutAt: string | undefined
}

/** The tickets in sight; `query` is that of the view, which an error is about. */
export function datedQuery(input: DatedRequest, query: string) {
  return queryOptions<DatedTickets, CallError>({
    queryKey: [queryTickets.path, input, 'dates'],
    queryFn: async ({ signal, queryKey }) => {
      const options = { signal, isBackground: isInBackground(queryKey) }
      try {
        const { Tickets, Total, NextCursor } = await post(queryTickets, input, options)
        const last = Tickets.at(-1)
        return { tickets: Tickets, total: Total, cutAt: NextCursor !== null && last ? dayOf(last, input.Columns?.[0] ?? '') : undefined }
      } catch (problem) {
        // Its position is one in the longer query; asked alone, the view's query has the same problem at its own position.
        if (problem instanceof CallError && problem.code === 'query' && query)
          await post(queryTickets, { ...input, Query: query, Limit: 1 }, options)
        throw problem
      }
    },
  })
}

/** The day that a ticket has in the field; '' without one. */
export function dayOf({ Values }: QueriedTicket, key: string) {
  return String(Values?.[key] ?? '')
}

/** Days by the keys of their fields; '' for none. */
export type Days = Readonly<Record<string, string>>

/** A change of a ticket's days. */
export interface DateMove {
  id: number
  from: Days
  to: Days
}
export function moved(shown: DatedTickets, { id, to }: DateMove): DatedTickets {
  return {
    ...shown,
    tickets: shown.tickets.map(ticket => (ticket.id === id ? { ...ticket, Values: { ...ticket.Values, ...to } } : ticket)),
  }
}

/** The address of the list with the view's tickets that meet the condition, and the columns of these fields. */
export function datedListPath(idProject: number, view: TicketView, condition: Tree, keys: readonly string[]) {
  const list: TicketView = {
    ...view,
    layout: 'list',
    group: plainView.group,
    open: plainView.open,
    saved: plainView.saved,
    query: limited(view.query, condition, true),
    columns: [...new Set([...view.columns, ...keys])],
  }
  return `/view-project/${idProject}?${writeView(new URLSearchParams(), list)}`
}
