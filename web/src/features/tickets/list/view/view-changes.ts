import { limits } from '@tessera/contract/limits'
import { plainView, type SortSlot, type TicketView, viewRequest } from './ticket-view.ts'

// Apart from the view itself, which is loaded with every page.

/** None → ascending → descending → none; a column keeps its slot while it is sorted. */
export function cycleSort(sort: readonly SortSlot[], column: string): SortSlot[] {
  const current = sort.find(({ Column }) => Column === column)
  if (!current) return [...sort, { Column: column, Direction: 'asc' as const }].slice(0, limits.sortColumns)
  if (current.Direction === 'desc') return sort.filter(slot => slot !== current)
  return sort.map(slot => (slot === current ? { Column: column, Direction: 'desc' } : slot))
}

/** The entries of 'Load View'. 'Clear filters' resets the sorting too, the others leave the rest as it is. */
export const presets: readonly { label: string; apply: (view: TicketView) => TicketView }[] = [
  { label: 'Clear filters', apply: ({ layout, group, lanes, columns }) => ({ ...plainView, layout, group, lanes, columns }) },
  { label: 'My active tickets', apply: view => ({ ...view, phases: [2], mine: true }) },
  { label: 'Active tickets', apply: view => ({ ...view, phases: [2], mine: false }) },
  { label: 'My proposed tickets', apply: view => ({ ...view, phases: [1], mine: true }) },
  { label: 'Proposed tickets', apply: view => ({ ...view, phases: [1], mine: false }) },
]

/** The view after a change: new filters close all rows, or children would appear twice in the list of matches. */
export function changedView(before: TicketView, change: Partial<TicketView> | ((view: TicketView) => TicketView)): TicketView {
  const after = typeof change === 'function' ? change(before) : { ...before, ...change }
  const filters = (view: TicketView) => JSON.stringify(viewRequest({ ...view, sort: [], columns: [], group: '' }))
  return filters(before) === filters(after) ? after : { ...after, open: [] }
}

/** The view without these columns, and without an order by them. */
export function withoutColumns(view: TicketView, isGone: (name: string) => boolean): TicketView {
  return { ...view, columns: view.columns.filter(name => !isGone(name)), sort: view.sort.filter(({ Column }) => !isGone(Column)) }
}
