import { keptColumns, keptDefault } from './kept-columns.ts'
import { namesView, readView } from './ticket-view.ts'

/** What a project's page begins with at this address, before it is known who is here. */
export function firstView(search: string, idProject: number) {
  const given = new URLSearchParams(search)
  const kept = namesView(given) ? '' : keptDefault(idProject)
  return readView(kept ? new URLSearchParams(kept) : given, keptColumns(idProject))
}
