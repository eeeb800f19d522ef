import type { Response } from '@tessera/contract/call'
import { sortColumns } from '@tessera/contract/tickets'
import type { getViewList } from '@tessera/contract/views'
import { columnNames } from '../view/kept-columns.ts'
import { plainView, type TicketView } from '../view/ticket-view.ts'

export type SavedView = Response<typeof getViewList>[number]

/** The list as the saved view shows it. */
export function viewOfSaved({ idView, Query, Columns, Sort, Group, Layout }: Omit<SavedView, 'Name'>): TicketView {
  // An order by a column that is not shown would be nobody's to see.
  const sorted = Sort.map(({ Column }) => Column).filter(name => !(sortColumns as readonly string[]).includes(name))
  const columns = columnNames([...Columns, ...sorted].join())
  const sort = Sort.filter(({ Column }) => !sorted.includes(Column) || columns.includes(Column))
  return { ...plainView, query: Query, layout: Layout, group: Group, sort, columns, saved: idView }
}

/** Whether the list shows something else than the saved view that was loaded. */
export function isChanged(view: TicketView, saved: SavedView) {
  const { open: _, ...wanted } = viewOfSaved(saved)
  const { open: __, ...shown } = view
  return JSON.stringify(Object.entries(wanted).sort()) !== JSON.stringify(Object.entries(shown).sort())
}
