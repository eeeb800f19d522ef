import type { Response } from '@tessera/contract/call'
import type { getViewList } from '@tessera/contract/projects/views'
import { sortColumns } from '@tessera/contract/tickets/tickets'
import { columnNames } from '../view/kept-columns.ts'
import { plainView, type TicketView } from '../view/ticket-view.ts'

export type SavedView = Response<typeof getViewList>[number]

/** The list as the saved view shows it. */
export function viewOfSaved({ idView, Query, Columns, Sort, Group, Layout, Lanes, Open = [] }: Omit<SavedView, 'Name'>): TicketView {
  // An order by a column that is not shown would be invisible.
  const sorted = Sort.map(({ Column }) => Column).filter(name => !(sortColumns as readonly string[]).includes(name))
  const columns = columnNames([...Columns, ...sorted].join())
  const sort = Sort.filter(({ Column }) => !sorted.includes(Column) || columns.includes(Column))
  const lanes = Layout === 'board' ? (Lanes ?? 0) : undefined
  return { ...plainView, query: Query, layout: Layout, group: Group, lanes, sort, columns, open: Open, saved: idView }
}

/** Whether the list differs from the loaded view. Only a board has lanes; one that says nothing about them has those of the view. */
export function isChanged(view: TicketView, saved: SavedView) {
  const { open: _, ...wanted } = viewOfSaved(saved)
  const { open: __, ...asked } = view
  const shown = { ...asked, lanes: view.layout === 'board' ? (view.lanes ?? wanted.lanes) : undefined }
  return JSON.stringify(Object.entries(wanted).sort()) !== JSON.stringify(Object.entries(shown).sort())
}
