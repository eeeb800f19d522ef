import type { Tree, Value } from '@tessera/contract/query-language/tree'
import { type DateField, fieldOf } from '../../dates/date-fields.ts'
import { datedListPath, datedRequest } from '../../dates/dated-tickets.ts'
import type { TicketView } from '../../list/view/ticket-view.ts'
import type { Window } from '../timeline-days.ts'
import type { TwoFields } from './bar.ts'

const matching = ({ name }: DateField, value: Value): Tree => ({ kind: 'match', name, values: [value] })

/** What a bar with a day in sight meets: it starts there, ends there, or goes from before to after. */
function inSight({ start, end }: TwoFields, { from, to }: Window): Tree {
  const across: Tree[] = [
    matching(start, { kind: 'compare', operator: '<', text: from }),
    matching(end, { kind: 'compare', operator: '>', text: to }),
  ]
  const within: Value = { kind: 'range', from, to }
  return { kind: 'or', of: [matching(start, within), matching(end, within), { kind: 'and', of: across }] }
}

const keysOf = ({ start, end }: TwoFields) => [start.key, end.key]

/** The request for the tickets in sight, the earliest start first. */
export function timelineRequest(idProject: number, view: TicketView, fields: TwoFields, window: Window) {
  return datedRequest(idProject, view, inSight(fields, window), keysOf(fields))
}

/** The address of the list with all tickets in sight. */
export function listPath(idProject: number, view: TicketView, fields: TwoFields, window: Window) {
  return datedListPath(idProject, view, inSight(fields, window), keysOf(fields))
}

/** The address of the list with the tickets that no timeline of these fields shows. */
export function withoutDatesPath(idProject: number, view: TicketView, fields: TwoFields) {
  const none: Value = { kind: 'text', text: 'none' }
  return datedListPath(idProject, view, { kind: 'and', of: [matching(fields.start, none), matching(fields.end, none)] }, keysOf(fields))
}

/** The fields with these keys; else the usual ones: the end is the due date or the first field, the start is another one. */
export function twoOf(fields: readonly DateField[], [startKey, endKey]: readonly string[]): TwoFields | undefined {
  const named = (key: string | undefined) => fields.find(one => one.key === key)
  const others = (of: DateField | undefined) => fields.filter(one => one !== of)
  const wanted = named(startKey)
  const free = others(wanted)
  const end = named(endKey) ?? fieldOf(free, undefined)
  const start = wanted && wanted !== end ? wanted : others(end)[0]
  return start && end && { start, end }
}
