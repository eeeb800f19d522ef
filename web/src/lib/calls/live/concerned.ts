import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getLinksBetween, getTicketLinks } from '@tessera/contract/tickets/links'
import { queryTickets } from '@tessera/contract/tickets/tickets'

/** Calls that also affect a ticket's descendants. */
const ofTree = ['move-ticket', 'trash-ticket', 'restore-ticket', 'purge-ticket']
/** Calls whose changes no list shows. */
const ofPage = [
  'set-ticket-comment',
  'delete-comment',
  'restore-comment',
  'set-ticket-notification',
  'set-ticket-watcher',
  'move-ticket-watchers',
  'attachment-upload',
  'delete-attachment',
  'restore-attachment',
]
/** Calls that change two tickets, in any projects. */
const ofLinks = ['set-ticket-link', 'remove-ticket-link']

/** The settings of a project, which a change of a ticket leaves as they are. */
const settings: readonly unknown[] = [getProjectData.path, getTicketFieldList.path, getTicketStateList.path, getTicketTemplateList.path]

/** Whether a change leaves every other ticket as it was, so that a board asks for this one alone. */
function isOfOneTicket({ idTicket, kind }: LiveEvent) {
  return idTicket !== undefined && !ofTree.includes(kind) && !ofLinks.includes(kind)
}
/** Whether lists show the change, in the row of one ticket only. */
function isOfOneRow(change: LiveEvent): change is Required<LiveEvent> {
  return isOfOneTicket(change) && !ofPage.includes(change.kind)
}

/** The parts of a query that `isConcerned` reads. */
type Known = Pick<Query, 'queryKey'> & Partial<Pick<Query, 'meta'>>

/** The `meta` of a search that is refetched when any ticket changes; other searches stay as they are. */
export const followsTickets = { followsTickets: true }
function doesFollow({ meta }: Known) {
  return meta?.followsTickets === true
}

/** Whether the query counts what the views of a project find. */
function isCount({ queryKey }: Known) {
  return queryKey[0] === getViewList.path && (queryKey[1] as { Counts?: 0 | 1 }).Counts === 1
}
export function isSearch(query: Known) {
  return isCount(query) || doesFollow(query)
}

/** Whether a change makes the query's data stale. A change that is not about one ticket may concern everything in the project. */
export function isConcerned(query: Known, change: LiveEvent) {
  const [path, asked] = query.queryKey
  const { idProject, idTicket, kind } = change
  if (doesFollow(query)) return kind !== 'set-comment-reaction'
  const input: { idProject?: number; idTicket?: number } = typeof asked === 'object' && asked !== null ? asked : {}
  const isOfTicket = input.idTicket !== undefined
  const isOfProject = input.idProject === idProject
  if (kind === 'create-new-ticket') return isOfProject && (path === queryTickets.path || path === queryBoard.path || isCount(query))
  // A view's query may depend on anything about a ticket: its comments, watchers or blockers.
  if (path === getViewList.path && idTicket !== undefined) return isCount(query) && (isOfProject || ofLinks.includes(kind))
  if (path === queryBoard.path && isOfOneTicket(change)) return false
  if (idTicket === undefined) return true
  if (settings.includes(path)) return false
  if (ofLinks.includes(kind)) return isOfTicket || input.idProject !== undefined
  if (path === getLinksBetween.path) return false
  if (kind === 'set-comment-reaction') return path === getTicketComments.path && input.idTicket === idTicket
  // It names tickets of any project, with their states.
  if (path === getTicketLinks.path) return !ofPage.includes(kind)
  if (isOfTicket) return input.idTicket === idTicket || ofTree.includes(kind)
  return isOfProject && !ofPage.includes(kind)
}

type Watcher = (changes: readonly Required<LiveEvent>[]) => void
const watchers = new Set<Watcher>()
/** Registers a watcher for changes of single tickets, for components that apply them without a refetch. */
export function watchTickets(watcher: Watcher) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export function tellWatchers(changes: readonly LiveEvent[]) {
  const ofOne = changes.filter(isOfOneRow)
  if (ofOne.length > 0) for (const watcher of watchers) watcher(ofOne)
}

/** Takes the changes of this page while the stream is open; undefined while it is not. */
let gather: ((change: LiveEvent) => void) | undefined
export function gatherWith(gathering: typeof gather) {
  gather = gathering
}

/**
 * Refetches what a change of this page concerns. While the stream is open it waits for the change's echo, so that everything is refetched once and not
 * twice.
 */
export function refetchAfter(queries: QueryClient, change: LiveEvent) {
  if (gather) gather(change)
  else {
    tellWatchers([change])
    void queries.refetchQueries({ type: 'active', predicate: query => isConcerned(query, change) })
  }
}
