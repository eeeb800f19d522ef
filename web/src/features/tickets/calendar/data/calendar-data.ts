import { queryOptions } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { isQueryName } from '@tessera/contract/query-language/names'
import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import type { Match, Value } from '@tessera/contract/query-language/tree'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { CallError, post } from '../../../../lib/calls/api.ts'
import { isInBackground } from '../../../../lib/calls/background.ts'
import { zone } from '../../../../lib/display/zone.ts'
import { plainView, type TicketView, viewRequest, writeView } from '../../list/view/ticket-view.ts'

/** The field whose days a calendar shows. */
export interface DateField {
  key: string
  label: string
  /** What a query calls it. */
  name: string
  isDue: boolean
}

/** The most tickets that a calendar shows: one page. */
const mostShown = limits.pageSizeMax

/** What a query calls a DATE field; undefined if its key means something else there, such as `created`. */
export function queryNameOf(key: string, isDue: boolean) {
  const name = key.toLowerCase()
  if (!isQueryName(name) && name !== 'sort') return key
  return isDue ? 'due' : undefined
}

/** The query of the view, limited to these days; as it is if it cannot be read, so that the server says why. */
function within(query: string, name: string, value: Value, hasOrder: boolean) {
  try {
    const { where, sort } = parse(query)
    const match: Match = { kind: 'match', name, values: [value] }
    return print({ where: where ? { kind: 'and', of: [where, match] } : match, sort: hasOrder ? sort : [] })
  } catch {
    return query
  }
}

type CalendarRequest = Request<typeof queryTickets>

/** The request for the tickets of the days in sight, the earliest first. */
export function calendarRequest(idProject: number, view: TicketView, { key, name }: DateField, days: readonly string[]): CalendarRequest {
  const { Sort: _, Columns: __, Query: ___, ...filters } = viewRequest(view)
  return {
    ...filters,
    idProject,
    Query: within(view.query, name, { kind: 'range', from: days[0] ?? '', to: days.at(-1) ?? '' }, false),
    Zone: zone,
    Columns: [key],
    Sort: [{ Column: key, Direction: 'asc' }],
    Limit: mostShown,
  }
}

export interface CalendarTickets {
  tickets: QueriedTicket[]
  total: number
  /** From this day on there may be more tickets than were read. */
  cutAt: string | undefined
}

/** The tickets in sight; `query` is that of the view, which an error is about. */
export function calendarQuery(input: CalendarRequest, key: string, query: string) {
  return queryOptions<CalendarTickets, CallError>({
    queryKey: [queryTickets.path, input, 'calendar'],
    queryFn: async ({ signal, queryKey }) => {
      const options = { signal, isBackground: isInBackground(queryKey) }
      try {
        const { Tickets, Total, NextCursor } = await post(queryTickets, input, options)
        const last = Tickets.at(-1)
        return { tickets: Tickets, total: Total, cutAt: NextCursor !== null && last ? dayOf(last, key) : undefined }
      } catch (problem) {
        // Its position is one in the longer query; asked alone, the view's query has the same problem at its own position.
        if (problem instanceof CallError && problem.code === 'query' && query) await post(queryTickets, { ...input, Query: query, Limit: 1 }, options)
        throw problem
      }
    },
  })
}

/** The day that a ticket has in the field; '' without one. */
export function dayOf({ Values }: QueriedTicket, key: string) {
  return String(Values?.[key] ?? '')
}

/** What a day shows; the grid and the agenda render it. */
export interface Day {
  day: string
  isToday: boolean
  /** Of another month. */
  isBeside: boolean
  tickets: readonly QueriedTicket[]
  /** The address of the list with all tickets of the day, where more may exist than are shown. */
  more: string | undefined
}

/** The tickets by day: those that are done come last, so that what is open stays in sight. */
export function byDay(tickets: readonly QueriedTicket[], key: string) {
  const sorted = [...tickets].sort((one, other) => Number(one.Phase === 3) - Number(other.Phase === 3) || one.id - other.id)
  return Map.groupBy(sorted, ticket => dayOf(ticket, key))
}

/** A ticket that is carried to another day. */
export interface DateMove {
  id: number
  from: string
  to: string
}
export function moved(shown: CalendarTickets, { id, to }: DateMove, key: string): CalendarTickets {
  const tickets = shown.tickets.map(ticket => (ticket.id === id ? { ...ticket, Values: { ...ticket.Values, [key]: to } } : ticket))
  return { ...shown, tickets }
}

/** The address of the list with what the calendar shows of a day, or of no day at all. */
export function listPath(idProject: number, view: TicketView, { key, name }: DateField, day: string) {
  const list: TicketView = {
    ...view,
    layout: 'list',
    group: plainView.group,
    open: plainView.open,
    saved: plainView.saved,
    query: within(view.query, name, { kind: 'text', text: day || 'none' }, true),
    columns: [...new Set([...view.columns, key])],
  }
  return `/view-project/${idProject}?${writeView(new URLSearchParams(), list)}`
}
