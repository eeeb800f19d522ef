import { limits } from '@tessera/contract/limits'
import { exportTickets } from '@tessera/contract/tickets/search'
import { zone } from '../../../lib/display/zone.ts'
import { currentPage } from '../../../lib/navigation/navigation.ts'
import { currentSession } from '../../../lib/session/session.tsx'
import { keptColumns } from './view/kept-columns.ts'
import { readView } from './view/ticket-view.ts'
import { queryOfView } from './view/view-query.ts'

/** Downloads the tickets that the project's list shows, at every depth, in its order and with its columns. */
export async function exportCsv(idProject: number) {
  const view = readView(new URLSearchParams(currentPage().location.search), keptColumns(idProject, currentSession().idUser))
  const Query = await queryOfView(idProject, view)
  // A grouped list is ordered by its groups first.
  const grouped = view.layout === 'list' && view.group !== '' ? [`${view.group === 'Assignee' ? 'Assignees' : view.group}.asc`] : []
  const Sort = [...grouped, ...view.sort.map(({ Column, Direction }) => `${Column}.${Direction}`)].slice(0, limits.sortColumns).join()
  const input = { idProject: String(idProject), Query, Columns: view.columns.join(), Sort, Zone: zone }
  const link = document.createElement('a')
  link.href = `${exportTickets.path}?${new URLSearchParams(Object.entries(input).filter(([, value]) => value !== ''))}`
  link.download = ''
  link.click()
}
