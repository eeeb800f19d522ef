import { keptColumns, keptDefault } from './kept-columns.ts'
import { namesView, readView } from './ticket-view.ts'

/** The initial view of a project's page at this address, when it is not yet known who is signed in. */
export function firstView(search: string, idProject: number) {
  const given = new URLSearchParams(search)
  const kept = namesView(given) ? '' : keptDefault(idProject)
  return readView(kept ? new URLSearchParams(kept) : given, keptColumns(idProject))
}
