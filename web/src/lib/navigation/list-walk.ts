import { hashKey } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isFocusNowhere } from '../input/keep-focus.ts'
import { currentSession } from '../session/session.tsx'
import { currentPage } from './navigation.ts'

export interface Page {
  Tickets: readonly { id: number }[]
  NextCursor: string | null
}

/** A list that a ticket was opened from: its tickets in the order of its rows, and which of them was shown last. */
export interface Walk {
  /** Names the list; the key of its query, where it is read by page. */
  list: readonly unknown[]
  tickets: number[]
  /** Where the rest of the list begins. */
  cursor: string | null
  /** Reads the page that begins there. */
  read?: (cursor: string) => Promise<Page>
  shown: number
}

/** Lists that are remembered. */
const mostWalks = 20
/** In the order of use, the most recent last. */
export const walks = new Map<string, Walk>()

/** The key includes person and organization, so that lists of another session do not match. */
export function keyOf(list: readonly unknown[]) {
  const { idUser, idOrganization } = currentSession()
  return hashKey([idUser, idOrganization, list])
}

/** A ticket is opened from the list. */
export function beginWalk(walk: Walk) {
  const key = keyOf(walk.list)
  walks.delete(key)
  walks.set(key, walk)
  for (const oldest of [...walks.keys()].slice(0, -mostWalks)) walks.delete(oldest)
}

/** The ticket of this list that was shown last, to come back to. */
export function lastShown(list: readonly unknown[]) {
  return walks.get(keyOf(list))?.shown
}

/** When going back, focuses the link to the ticket that was shown last, if this list was the last one used. */
export function useWayBackFocus<Element extends HTMLElement>(list: readonly unknown[]) {
  const ref = useRef<Element>(null)
  useEffect(() => {
    const last = [...walks.keys()].at(-1)
    const shown = currentPage().how === 'pop' && last === keyOf(list) ? lastShown(list) : undefined
    if (shown !== undefined && isFocusNowhere()) ref.current?.querySelector<HTMLElement>(`a[href="/view-ticket/${shown}"]`)?.focus()
  }, [])
  return ref
}
