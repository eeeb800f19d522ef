import { useQueryClient } from '@tanstack/react-query'
import { events, type LiveEvent } from '@tessera/contract/projects/live'
import { useEffect, useRef } from 'react'
import { currentSession, useSession } from '../../session/session.tsx'
import { noteReach } from '../reach.ts'
import { gatherWith } from './refetch-after.ts'
import { type Refetches, refetchesOf } from './refetches.ts'

/** A hidden page closes its stream after this long, in milliseconds: a browser has only six connections per server. */
const hiddenTimeout = 20_000
const firstRetry = 2000
const lastRetry = 60_000

/** Keeps every page up to date while somebody is signed in: what others save appears within a second. */
export function useLive() {
  const queries = useQueryClient()
  const { authenticated, idUser, idOrganization } = useSession()
  /** The earliest time at which the page may have read its data: when it was opened, or the sign-in in it. */
  const readsSince = useRef(0)
  // Another session has another stream.
  useEffect(() => {
    if (!authenticated) {
      readsSince.current = performance.now()
      return
    }
    const refetches = refetchesOf(queries)
    const stream = streamTo(refetches)
    // A page that is opened in the background waits until it is shown.
    if (document.visibilityState === 'visible') stream.connect(performance.now() - readsSince.current)
    const stopFollowing = followVisibility(stream, refetches)
    return () => {
      stopFollowing()
      refetches.stop()
      stream.close()
    }
  }, [queries, authenticated, idUser, idOrganization])
}

type Stream = ReturnType<typeof streamTo>

/** The stream of what others change. It connects again by itself. */
function streamTo({ hear, addOwn, mayBeOld, missed }: Refetches) {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = firstRetry
  let isClosed = false

  function disconnect() {
    gatherWith(undefined)
    clearTimeout(retry)
    source?.close()
    source = undefined
  }
  /** Also asks for the changes of the last `behind` milliseconds. */
  function connect(behind = 0) {
    disconnect()
    const opened = new EventSource(behind > 0 ? `${events.path}?behind=${Math.ceil(behind)}` : events.path)
    source = opened
    opened.addEventListener('change', ({ data }) => hear(JSON.parse(data) as LiveEvent))
    opened.addEventListener('resync', mayBeOld)
    opened.addEventListener('ready', () => {
      gatherWith(addOwn)
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
      gatherWith(undefined)
      // A server that went away may come back with changes this page has not seen.
      wait = Math.min(wait * 2, lastRetry)
      if (opened.readyState !== EventSource.CLOSED) return
      disconnect()
      retry = setTimeout(() => !isClosed && currentSession().authenticated && connect(), wait)
    }
  }
  return {
    connect,
    disconnect,
    isOpen: () => source !== undefined,
    close() {
      isClosed = true
      disconnect()
    },
  }
}

/** Disconnects a page that stays hidden, and connects it again when it is shown. Returns a function that stops this. */
function followVisibility({ connect, disconnect, isOpen }: Stream, { missed }: Refetches) {
  let hiding: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') hiding = setTimeout(disconnect, hiddenTimeout)
    else if (!isOpen()) {
      connect()
      missed()
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiding)
  }
}
