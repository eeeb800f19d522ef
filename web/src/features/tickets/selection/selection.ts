import type { Request } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import { useSyncExternalStore } from 'react'
import { currentSession, onSessionChange } from '../../../lib/session/session.tsx'
import { createListeners } from '../../../lib/state/listeners.ts'

/** A list's request without order, columns and paging: it describes which tickets are in the list. */
export type Matching = Omit<Request<typeof queryTickets>, 'idProject' | 'Group' | 'Sort' | 'Columns' | 'Limit' | 'Cursor'>

/** The tickets in a list, from its request: without any filter every ticket, including those below the top of the tree. */
export function matchingOf(
  { idProject: _, Group, Sort, Columns, Limit, Cursor, ...matching }: Request<typeof queryTickets>,
  isFiltered: boolean,
): Matching {
  return isFiltered || matching.idParent !== undefined ? matching : { ...matching, Phases: [1, 2, 3] }
}

/** The tickets of one project that are selected. */
export interface Selection {
  ids: ReadonlySet<number>
  /** Instead of `ids`: every ticket in a list, including pages that are not loaded, and how many there were. */
  all: { matching: Matching; total: number } | undefined
  /** The ticket that was selected or deselected last: the start of a range. */
  anchor: number | undefined
  /** Whether a click on a ticket selects it, where the screen has no room for check boxes. */
  isOn: boolean
}
const none: Selection = { ids: new Set(), all: undefined, anchor: undefined, isOn: false }
const some = { ...none, isOn: true }

/** It lasts as long as the page: a reload starts with nothing selected. */
const selections = new Map<number, Selection>()
const { subscribe, notify } = createListeners()
let owner = currentSession().idUser
// A session that only timed out keeps its person.
onSessionChange(() => {
  const { idUser } = currentSession()
  if (idUser === owner) return
  owner = idUser
  selections.clear()
  notify()
})

function change(idProject: number, next: Selection) {
  if (next === none) selections.delete(idProject)
  else selections.set(idProject, next)
  notify()
}

export function selectionOf(idProject: number): Selection {
  return selections.get(idProject) ?? none
}
export function clearSelection(idProject: number) {
  if (selections.has(idProject)) change(idProject, none)
}
/** Nothing is selected yet, but a click on a ticket selects it. */
export function beginSelection(idProject: number) {
  change(idProject, some)
}
/** Toggles the ticket. While all that match are selected, it selects only this one. */
export function toggleSelected(idProject: number, idTicket: number) {
  const ids = new Set(selectionOf(idProject).ids)
  if (!ids.delete(idTicket)) ids.add(idTicket)
  change(idProject, ids.size === 0 ? none : { ...some, ids, anchor: idTicket })
}
/** Selects, besides what is selected, everything from the anchor to this ticket. `shown` are the tickets in the order of their rows. */
export function selectRange(idProject: number, shown: readonly number[], idTicket: number) {
  const { ids, anchor } = selectionOf(idProject)
  const to = shown.indexOf(idTicket)
  const from = anchor === undefined ? -1 : shown.indexOf(anchor)
  const range = from < 0 ? [idTicket] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  change(idProject, { ...some, ids: new Set([...ids, ...range]), anchor: from < 0 ? idTicket : anchor })
}
export function selectTickets(idProject: number, tickets: readonly number[]) {
  change(idProject, tickets.length === 0 ? none : { ...some, ids: new Set(tickets) })
}
export function selectAllMatching(idProject: number, matching: Matching, total: number) {
  change(idProject, { ...some, all: { matching, total } })
}

export function countSelected({ ids, all }: Selection) {
  return all?.total ?? ids.size
}
function isSelected({ ids, all }: Selection, idTicket: number) {
  return all !== undefined || ids.has(idTicket)
}

export function useSelection(idProject: number) {
  return useSyncExternalStore(subscribe, () => selectionOf(idProject))
}
/** Whether one ticket is selected: draws again only when that changes. */
export function useIsSelected(idProject: number, idTicket: number) {
  return useSyncExternalStore(subscribe, () => isSelected(selectionOf(idProject), idTicket))
}
