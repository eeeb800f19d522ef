import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { refetchInBackground } from '../background.ts'
import { isConcerned, isSearch, isSearchAfter } from './concerned.ts'
import { tellWatchers } from './watch-tickets.ts'

/** Changes are batched for this long before anything is refetched, in milliseconds. */
const gathering = 100
/** How long a change of this page waits for its echo in the stream, and how long an earlier echo is remembered, in milliseconds. */
const echoTimeout = 1000
/** Minimum interval between refetches during many changes. */
const spacing = 500
/** The same for queries that need a search: counts of views, charts, who mentions a ticket, and lists over all projects. */
const searchSpacing = 5000

export type Refetches = ReturnType<typeof refetchesOf>

/** Refetches what changes concern, many of them at once. */
export function refetchesOf(queries: QueryClient) {
  let changes: LiveEvent[] = []
  let isEverything = false
  let startsOver = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  const meet = meetings()
  const searches = searchesOf(queries)
  const batches = spaced({ work: refetch, after: gathering, apart: spacing })

  function refetch() {
    const [seen, isWhole, cancelRefetch] = [changes, isEverything, startsOver]
    clearTimeout(waiting)
    changes = []
    isEverything = false
    startsOver = false
    tellWatchers(seen)
    const isOld = (query: Query, bySearch: boolean) =>
      isWhole ? isSearch(query) === bySearch : seen.some(change => isConcerned(query, change) && isSearchAfter(query, change) === bySearch)
    void refetchInBackground(queries, query => isOld(query, false), { cancelRefetch })
    searches.add(queries.getQueryCache().findAll({ predicate: query => isOld(query, true) }), cancelRefetch)
  }

  /** Anything may be old. */
  function mayBeOld() {
    isEverything = true
    batches.soon()
  }

  return {
    hear(change: LiveEvent) {
      changes.push(change)
      // What the person has just done is shown at once.
      if (meet(change, false)) batches.now()
      else batches.soon()
    },
    /** Handles a change of this page. Its echo may have arrived before the answer; otherwise it is awaited. */
    addOwn(change: LiveEvent) {
      if (meet(change, true)) return
      changes.push(change)
      clearTimeout(waiting)
      waiting = setTimeout(batches.soon, echoTimeout)
    },
    mayBeOld,
    /** Changes were missed while the page had no connection: what was being read may never be answered, so it starts over. */
    missed() {
      startsOver = true
      mayBeOld()
    },
    stop() {
      clearTimeout(waiting)
      batches.stop()
      searches.stop()
    },
  }
}

/** Refetches what is old and needs a search. */
function searchesOf(queries: QueryClient) {
  let old = new Set<Query>()
  let startsOver = false
  const refetch = () => {
    const [seen, cancelRefetch] = [old, startsOver]
    old = new Set()
    startsOver = false
    void refetchInBackground(queries, query => seen.has(query), { cancelRefetch })
  }
  const { soon, stop } = spaced({ work: refetch, after: 0, apart: searchSpacing })
  return {
    add(more: readonly Query[], cancelRefetch: boolean) {
      if (more.length === 0) return
      for (const query of more) old.add(query)
      startsOver ||= cancelRefetch
      soon()
    },
    stop,
  }
}

/**
 * Brings changes of this page and their echoes together, whichever comes first. Returns whether the other one was here; each has one alone. The change
 * that makes a ticket does not know its number before the echo.
 */
function meetings() {
  let alone: (LiveEvent & { isOwn: boolean; at: number })[] = []
  return (change: LiveEvent, isOwn: boolean) => {
    const at = performance.now()
    alone = alone.filter(one => at - one.at < echoTimeout)
    const other = alone.findIndex(
      one =>
        one.isOwn !== isOwn &&
        one.kind === change.kind &&
        one.idProject === change.idProject &&
        (one.idTicket ?? change.idTicket) === (change.idTicket ?? one.idTicket),
    )
    if (other < 0) alone.push({ ...change, isOwn, at })
    else alone.splice(other, 1)
    return other >= 0
  }
}

/** `soon` runs the work in `after` milliseconds, once for all calls until then, `now` without that wait; neither within `apart` milliseconds of the last run. */
function spaced({ work, after, apart }: { work: () => void; after: number; apart: number }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Not by the clock of the computer: one that is set back by a day would stop the refetches for as long.
  let worked = Number.NEGATIVE_INFINITY
  const run = () => {
    timer = undefined
    worked = performance.now()
    work()
  }
  const runIn = (wait: number) => setTimeout(run, Math.max(wait, worked + apart - performance.now()))
  return {
    soon() {
      timer ??= runIn(after)
    },
    now() {
      clearTimeout(timer)
      timer = runIn(0)
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
