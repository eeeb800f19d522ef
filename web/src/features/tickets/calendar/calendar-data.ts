import type { Match, Value } from '@tessera/contract/query-language/tree'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { DateField } from '../dates/date-fields.ts'
import { datedListPath, datedRequest, dayOf } from '../dates/dated-tickets.ts'
import type { TicketView } from '../list/view/ticket-view.ts'

const matching = (name: string, value: Value): Match => ({ kind: 'match', name, values: [value] })

/** The request for the tickets of the days in sight, the earliest first. */
export function calendarRequest(idProject: number, view: TicketView, { key, name }: DateField, days: readonly string[]) {
  const inSight = matching(name, { kind: 'range', from: days[0] ?? '', to: days.at(-1) ?? '' })
  return datedRequest(idProject, view, inSight, [key])
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

/** The address of the list with what the calendar shows of a day, or of no day at all. */
export function listPath(idProject: number, view: TicketView, { key, name }: DateField, day: string) {
  return datedListPath(idProject, view, matching(name, { kind: 'text', text: day || 'none' }), [key])
}
