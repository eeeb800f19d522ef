import { limits } from '@tessera/contract/limits'
import { getTicketFieldList } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { keysOfGroup } from '@tessera/contract/projects/views'
import { exportTickets } from '@tessera/contract/tickets/search'
import { listColumns } from '@tessera/contract/tickets/tickets'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import { queryClient } from '../../../lib/calls/query-client.ts'
import { timeZone } from '../../../lib/display/zone.ts'
import { currentPage } from '../../../lib/navigation/navigation.ts'
import { currentSession } from '../../../lib/session/session.tsx'
import { dateFieldsOf, fieldOf } from '../dates/date-fields.ts'
import { twoOf } from '../timeline/data/timeline-data.ts'
import { keptColumns } from './view/kept-columns.ts'
import { isOfDates, readView, type TicketView } from './view/ticket-view.ts'
import { queryOfView } from './view/view-query.ts'

/** Downloads the tickets that the project's list shows, at every depth, in its order and with its columns, or the days that a calendar or timeline shows. */
export async function exportCsv(idProject: number) {
  const view = readView(new URLSearchParams(currentPage().location.search), keptColumns(idProject, currentSession().idUser))
  const Query = await queryOfView(idProject, view)
  // A grouped list is ordered by its groups first.
  const grouped = view.layout === 'list' && view.group !== '' ? [`${view.group === 'Assignee' ? 'Assignees' : view.group}.asc`] : []
  const Sort = [...grouped, ...view.sort.map(({ Column, Direction }) => `${Column}.${Direction}`)].slice(0, limits.sortColumns).join()
  const input = { idProject: String(idProject), Query, Columns: (await columnsOf(idProject, view)).join(), Sort, Zone: timeZone() }
  const link = document.createElement('a')
  link.href = `${exportTickets.path}?${new URLSearchParams(Object.entries(input).filter(([, value]) => value !== ''))}`
  link.download = ''
  link.click()
}

/** The columns of the view. Without any, the server adds those of every ticket, unless there are days to add. */
async function columnsOf(idProject: number, view: TicketView): Promise<readonly string[]> {
  if (!isOfDates(view.layout)) return view.columns
  const fresh = { staleTime: seldomStale }
  const [{ DueField }, offered, archived] = await Promise.all([
    queryClient.fetchQuery({ ...callQuery(getProjectData, { idProject }), ...fresh }),
    queryClient.fetchQuery({ ...callQuery(getTicketFieldList, { idProject }), ...fresh }),
    queryClient.fetchQuery({ ...callQuery(getTicketFieldList, { idProject, Archived: 1 }), ...fresh }),
  ])
  const keys = keysOfGroup(view.group)
  const fields = dateFieldsOf([...offered, ...archived.filter(({ Key }) => keys.includes(Key))], DueField)
  const two = twoOf(fields, keys)
  const ofTimeline = two ? [two.start, two.end] : []
  const shown = view.layout === 'calendar' ? [fieldOf(fields, view.group)] : ofTimeline
  const columns = view.columns.length > 0 ? view.columns : listColumns.filter(name => name !== 'Watched')
  return [...new Set([...columns, ...shown.flatMap(field => field?.key ?? [])])]
}
