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
  /** Changes of this page whose echo has not come yet. */
  let awaited: LiveEvent[] = []
  const echoes = echoMemory()
  const searches = searchesOf(queries)
  const batches = spaced({ work: refetch, after: gathering, apart: spacing })

  function refetch() {
    const [seen, isWhole, cancelRefetch] = [changes, isEverything, startsOver]
    clearTimeout(waiting)
    awaited = []
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
      if (awaited.some(own => isEcho(change, own))) return batches.now()
      echoes.add(change)
      batches.soon()
    },
    /** Handles a change of this page. Its echo may have arrived before the answer; otherwise it is awaited. */
    addOwn(change: LiveEvent) {
      if (echoes.take(change)) return
      changes.push(change)
      awaited.push(change)
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

/** Changes that were heard lately. */
function echoMemory() {
  let heard: { change: LiveEvent; at: number }[] = []
  const isRecent = ({ at }: (typeof heard)[number]) => at > performance.now() - echoTimeout
  return {
    add(change: LiveEvent) {
      heard = [...heard.filter(isRecent), { change, at: performance.now() }]
    },
    /** Whether the echo of the page's own change was heard. It is forgotten then: the next change has one of its own. */
    take(own: LiveEvent) {
      const echo = heard.find(one => isRecent(one) && isEcho(one.change, own))
      heard = heard.filter(one => one !== echo)
      return echo !== undefined
    },
  }
}

function isEcho({ kind, idProject, idTicket }: LiveEvent, own: LiveEvent) {
  return kind === own.kind && idProject === own.idProject && (own.idTicket === undefined || idTicket === own.idTicket)
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
  return {
    soon() {
      timer ??= setTimeout(run, Math.max(after, worked + apart - performance.now()))
    },
    now() {
      clearTimeout(timer)
      timer = setTimeout(run, worked + apart - performance.now())
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
