import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { events, type LiveEvent } from '@tessera/contract/projects/live'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { useEffect, useRef } from 'react'
import { currentSession, useSession } from '../session/session.tsx'
import { refetchInBackground } from './background.ts'
import { noteReach } from './reach.ts'

/** Changes are batched for this long before anything is refetched, in milliseconds. */
const gathering = 100
/** How long a change of this page waits for its echo in the stream, and how long an earlier echo is remembered, in milliseconds. */
const echoTimeout = 1000
/** Minimum interval between refetches during many changes. */
const spacing = 500
/** The same for queries that need a search: counts of views, and lists over all projects. */
const searchSpacing = 5000
/** A hidden page closes its stream after this long: a browser has only six connections per server. */
const hiddenTimeout = 20_000
const firstRetry = 2000
const lastRetry = 60_000

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
]
/** Calls that change two tickets, in any projects. */
const ofLinks = ['set-ticket-link', 'remove-ticket-link']

/** Whether a change leaves every other ticket as it was, so that a board asks for this one alone. */
function isOfOneTicket({ idTicket, kind }: LiveEvent) {
  return idTicket !== undefined && !ofTree.includes(kind) && !ofLinks.includes(kind)
}
const watchers = new Set<(changes: readonly Required<LiveEvent>[]) => void>()
/** Registers a watcher for changes of single tickets, for components that apply them without a refetch. */
export function watchTickets(watcher: (changes: readonly Required<LiveEvent>[]) => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
function tellWatchers(changes: readonly LiveEvent[]) {
  const ofOne = changes.filter((change): change is Required<LiveEvent> => isOfOneTicket(change) && !ofPage.includes(change.kind))
  if (ofOne.length > 0) for (const watcher of watchers) watcher(ofOne)
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
function isSearch(query: Known) {
  return isCount(query) || doesFollow(query)
}

/** Whether a change makes the query's data stale. A change that is not about one ticket may concern everything in the project. */
export function isConcerned(query: Known, change: LiveEvent) {
  const { queryKey } = query
  const { idProject, idTicket, kind } = change
  if (doesFollow(query)) return kind !== 'set-comment-reaction'
  const input = typeof queryKey[1] === 'object' ? (queryKey[1] as { idProject?: number; idTicket?: number } | null) : null
  const isOfTicket = input?.idTicket !== undefined
  const isOfProject = input?.idProject === idProject
  if (kind === 'create-new-ticket')
    return isOfProject && (queryKey[0] === queryTickets.path || queryKey[0] === queryBoard.path || isCount(query))
  // A view's query may depend on anything about a ticket: its comments, watchers or blockers.
  if (queryKey[0] === getViewList.path && idTicket !== undefined) return isCount(query) && (isOfProject || ofLinks.includes(kind))
  if (queryKey[0] === queryBoard.path && isOfOneTicket(change)) return false
  if (idTicket === undefined) return true
  if (ofLinks.includes(kind)) return isOfTicket || input?.idProject !== undefined
  if (kind === 'set-comment-reaction') return isOfTicket && input.idTicket === idTicket && queryKey[0] === getTicketComments.path
  // It names tickets of any project, with their states.
  if (queryKey[0] === getTicketLinks.path) return !ofPage.includes(kind)
  return isOfTicket ? input.idTicket === idTicket || ofTree.includes(kind) : isOfProject && !ofPage.includes(kind)
}

/** Adds a change of this page to the batch; undefined while no stream is open. */
let gather: ((change: LiveEvent) => void) | undefined

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

/** Refetches what others change, including changes of the `behind` milliseconds before. Returns a function that stops it. */
function listen(queries: QueryClient, behind: number) {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = firstRetry
  let flush: ReturnType<typeof setTimeout> | undefined
  let flushed = 0
  let changes: LiveEvent[] = []
  let echoes: { change: LiveEvent; at: number }[] = []
  let echo: ReturnType<typeof setTimeout> | undefined
  let isMissing = false
  let isClosed = false
  let unsearched: ((query: Query) => boolean)[] = []
  let searching: ReturnType<typeof setTimeout> | undefined
  let searched = 0

  /** Refetches the searches that the changes concern. */
  const searchSoon = (isOld: (query: Query) => boolean) => {
    unsearched.push(isOld)
    searching ??= setTimeout(
      () => {
        const reasons = unsearched
        unsearched = []
        searching = undefined
        searched = Date.now()
        void refetchInBackground(queries, query => isSearch(query) && reasons.some(isOfReason => isOfReason(query)))
      },
      Math.max(0, searched + searchSpacing - Date.now()),
    )
  }
  const soon = () => {
    flush ??= setTimeout(
      () => {
        const seen = changes
        const isEverything = isMissing
        clearTimeout(echo)
        flush = undefined
        flushed = Date.now()
        changes = []
        isMissing = false
        tellWatchers(seen)
        const isOld = (query: Query) => isEverything || seen.some(change => isConcerned(query, change))
        void refetchInBackground(queries, query => !isSearch(query) && isOld(query))
        searchSoon(isOld)
      },
      Math.max(gathering, flushed + spacing - Date.now()),
    )
  }
  const add = (change: LiveEvent) => {
    changes.push(change)
    soon()
  }
  const hear = (change: LiveEvent) => {
    const now = Date.now()
    echoes = [...echoes.filter(({ at }) => at > now - echoTimeout), { change, at: now }]
    add(change)
  }
  /** Handles a change of this page. Its echo may have arrived before the answer; otherwise it is awaited. */
  const addOwn = (own: LiveEvent) => {
    const isEcho = ({ change, at }: (typeof echoes)[number]) =>
      at > Date.now() - echoTimeout &&
      change.kind === own.kind &&
      change.idProject === own.idProject &&
      (own.idTicket === undefined || change.idTicket === own.idTicket)
    if (echoes.some(isEcho)) return
    changes.push(own)
    clearTimeout(echo)
    echo = setTimeout(soon, echoTimeout)
  }
  const missed = () => {
    isMissing = true
    soon()
  }
  function disconnect() {
    gather = undefined
    clearTimeout(retry)
    source?.close()
    source = undefined
  }
  function connect(behind = 0) {
    disconnect()
    const opened = new EventSource(behind > 0 ? `${events.path}?behind=${Math.ceil(behind)}` : events.path)
    source = opened
    opened.addEventListener('change', ({ data }) => hear(JSON.parse(data) as LiveEvent))
    opened.addEventListener('resync', missed)
    opened.addEventListener('ready', () => {
      gather = addOwn
      noteReach(true)
      if (wait > firstRetry) missed()
      wait = firstRetry
    })
    opened.addEventListener('end', () => {
      // The session is over; reading anything brings up the dialog.
      disconnect()
      missed()
    })
    opened.onerror = () => {
      gather = undefined
      // A server that went away may come back with changes this page has not seen.
      wait = Math.min(wait * 2, lastRetry)
      if (opened.readyState !== EventSource.CLOSED) return
      disconnect()
      retry = setTimeout(() => !isClosed && currentSession().authenticated && connect(), wait)
    }
  }

  let hiding: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') hiding = setTimeout(disconnect, hiddenTimeout)
    else if (!source) {
      connect()
      missed()
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  connect(behind)
  return () => {
    isClosed = true
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiding)
    clearTimeout(flush)
    clearTimeout(searching)
    clearTimeout(echo)
    disconnect()
  }
}

/** Keeps every page up to date while somebody is signed in: what others save appears within a second. */
export function useLive() {
  const queries = useQueryClient()
  const { authenticated, idUser, idOrganization } = useSession()
  /** The earliest time at which the page may have read its data: when it was opened, or the sign-in in it. */
  const readsSince = useRef(0)
  // Another session has another stream.
  useEffect(() => {
    if (authenticated) return listen(queries, performance.now() - readsSince.current)
    readsSince.current = performance.now()
  }, [queries, authenticated, idUser, idOrganization])
}
