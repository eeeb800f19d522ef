import type { Query, QueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectList } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getLinksBetween, getTicketLinks } from '@tessera/contract/tickets/links'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { getTextNames } from '@tessera/contract/tickets/watchers'

/** Calls that also affect a ticket's descendants. */
const ofTree = ['move-ticket', 'trash-ticket', 'restore-ticket', 'purge-ticket']
/** Calls that change a ticket's comments, which may name other tickets. */
const ofComments = ['set-ticket-comment', 'delete-comment', 'restore-comment']
/** Calls whose changes only some lists show. */
const ofPage = [
  ...ofComments,
  'set-ticket-notification',
  'set-ticket-watcher',
  'move-ticket-watchers',
  'attachment-upload',
  'delete-attachment',
  'restore-attachment',
]
/** Calls that change two tickets, in any projects. */
const ofLinks = ['set-ticket-link', 'remove-ticket-link']

/** What shows a new ticket. */
const ofNew: readonly unknown[] = [queryTickets.path, queryBoard.path, getProjectStatistics.path]
/** The settings of a project, which a change of a ticket leaves as they are. */
const settings: readonly unknown[] = [getProjectData.path, getTicketFieldList.path, getTicketStateList.path, getTicketTemplateList.path]

/** Whether a change leaves every other ticket as it was, so that a board asks for this one alone. */
function isOfOneTicket(change: LiveEvent): change is Required<LiveEvent> {
  const { idTicket, kind } = change
  return idTicket !== undefined && !ofTree.includes(kind) && !ofLinks.includes(kind)
}
/** What a query asks for, as far as it decides what concerns it. */
interface Asked {
  idProject?: number
  idTicket?: number
  Query?: string | undefined
  Columns?: readonly string[] | undefined
  References?: 0 | 1
}
/** Whether a list shows what the change is about. A comment is in the time of the last change, and a query may ask for anything. */
export function isListed({ kind }: LiveEvent, { Query = '', Columns = [] }: Asked) {
  if (kind === 'set-comment-reaction') return false
  return !ofPage.includes(kind) || Query !== '' || Columns.includes('Updated') || Columns.includes('Watched')
}

/** The tickets that texts name, in the key of the query that looks them up. */
interface Named {
  tickets: readonly number[]
}
/** The parts of a query that `isConcerned` reads. */
type Known = Pick<Query, 'queryKey'> & Partial<Pick<Query, 'meta' | 'state'>>

/** The `meta` of a search that is refetched when any ticket changes; other searches stay as they are. */
export const followsTickets = { followsTickets: true }
function doesFollow({ meta }: Known) {
  return meta?.followsTickets === true
}

/** Whether the query counts what the views of a project find. */
function isCount({ queryKey }: Known) {
  return queryKey[0] === getViewList.path && (queryKey[1] as { Counts?: 0 | 1 }).Counts === 1
}
/** Whether the query is costly for the server, so that it is refetched less often during many changes. */
export function isSearch(query: Known) {
  return isCount(query) || doesFollow(query) || query.queryKey[0] === getProjectStatistics.path
}
/** The same for one change: most only make links old because a text may mention the ticket now, which takes a search to find out. */
export function isSearchAfter(query: Known, { idTicket, kind }: LiveEvent) {
  if (query.queryKey[0] !== getTicketLinks.path || idTicket === undefined) return isSearch(query)
  const links = query.state?.data as Response<typeof getTicketLinks> | undefined
  return links !== undefined && !ofTree.includes(kind) && !ofLinks.includes(kind) && !links.some(({ Ticket }) => Ticket?.id === idTicket)
}

/** Whether a change makes the query's data stale. A change that is not about one ticket may concern everything in the project. */
export function isConcerned(query: Known, change: LiveEvent) {
  const [path, asked] = query.queryKey
  const { idProject, idTicket, kind } = change
  // The numbers of open tickets.
  if (path === getProjectList.path && ofPage.includes(kind)) return false
  if (doesFollow(query)) return kind !== 'set-comment-reaction'
  const input: Asked = typeof asked === 'object' && asked !== null ? asked : {}
  const isOfTicket = input.idTicket !== undefined
  const isOfProject = input.idProject === idProject
  if (kind === 'create-new-ticket') return isOfProject && (ofNew.includes(path) || isCount(query))
  // A view's query may depend on anything about a ticket: its comments, watchers or blockers.
  if (path === getViewList.path && idTicket !== undefined) return isCount(query) && (isOfProject || ofLinks.includes(kind))
  if (path === queryBoard.path && isOfOneTicket(change)) return false
  if (idTicket === undefined) return true
  if (settings.includes(path)) return false
  if (ofLinks.includes(kind)) return isOfTicket || input.idProject !== undefined
  if (path === getLinksBetween.path) return false
  if (path === getTextNames.path) return ofTree.includes(kind) || (query.queryKey[2] as Named).tickets.includes(idTicket)
  if (kind === 'set-comment-reaction') return path === getTicketComments.path && input.idTicket === idTicket
  // It names tickets of any project, with their states.
  if (path === getTicketLinks.path) return !ofPage.includes(kind) || (input.References === 1 && ofComments.includes(kind))
  if (isOfTicket) return input.idTicket === idTicket || ofTree.includes(kind)
  return isOfProject && isListed(change, input)
}

type Watcher = (changes: readonly Required<LiveEvent>[]) => void
const watchers = new Set<Watcher>()
/** Registers a watcher for changes of single tickets, for components that apply them without a refetch. */
export function watchTickets(watcher: Watcher) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export function tellWatchers(changes: readonly LiveEvent[]) {
  const ofOne = changes.filter(isOfOneTicket)
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
