import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isSignedOut } from '../../session/activity.ts'
import { keptFor } from '../../session/private-storage.ts'
import { currentSession } from '../../session/session.tsx'
import { storeLocally } from '../../state/store-locally.ts'

/** How long typed text may exist only on the screen, in milliseconds. */
const delay = 300

/** Unsaved input, and when it was typed. */
export interface Kept<T> {
  at: number
  value: T
}
interface Entry extends Kept<unknown> {
  key: string
  /** The entries that it replaces, each with its time. */
  over?: [key: string, at: number][]
}

/** The inputs, each by its own object, whose text could not be kept: a browser's storage may be full. */
const unkept = new Set<object>()
/** Whether all that is typed at present is kept. */
export const isKeeping = () => unkept.size === 0

/** Identifies this window in storage keys: two windows in which the same field is edited keep two texts. */
const ownWindow = Math.random().toString(36).slice(2, 10)

const placeKey = ({ idUser, idOrganization }: { idUser: number; idOrganization: number }, place: string) =>
  `${keptFor(idUser)}${idOrganization}.${place}`

function readEntry(key: string): Entry | undefined {
  try {
    const entry = JSON.parse(localStorage.getItem(key) ?? 'null') as Omit<Entry, 'key'> | null
    return entry ? { ...entry, key } : undefined
  } catch {
    return undefined
  }
}

/** What all windows kept for a place: this one's, then the newest first. */
function entriesAt(place: string): Entry[] {
  const key = placeKey(currentSession(), place)
  const keys = Object.keys(localStorage).filter(each => each === key || each.startsWith(`${key}.`))
  const isOwn = (entry: Entry) => Number(entry.key === `${key}.${ownWindow}`)
  return keys.flatMap(each => readEntry(each) ?? []).sort((one, other) => isOwn(other) - isOwn(one) || other.at - one.at)
}

/** The person's unsaved input for a place such as `comment-12`: this window's, or else the latest. */
export function readKept<T>(place: string): Kept<T> | undefined {
  const [shown] = entriesAt(place)
  return shown && { at: shown.at, value: shown.value as T }
}

/** The entries that the shown input of a place comes from. */
function originsOf(place: string): [key: string, at: number][] {
  const [shown] = entriesAt(place)
  return shown ? [[shown.key, shown.at], ...(shown.over ?? [])] : []
}

/**
 * Keeps a value in this browser while it is not undefined, so that it survives a reload or a crash, for this person only. When it becomes undefined,
 * the entries that it replaced are removed too, unless another window has updated them. Returns a function that changes what is kept once the page was
 * left, for a save that was still under way; while the page is shown it does nothing.
 */
export function useKept<T>(place: string, value: T | undefined) {
  const text = value === undefined ? undefined : JSON.stringify(value)
  const last = useRef({ place, text })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLeft = useRef(false)
  const owner = useRef(currentSession())
  const [first] = useState(() => ({ place, origins: originsOf(place) }))
  const store = () => {
    // Nothing is kept after a sign-out, in another tab either.
    if (currentSession().idUser !== owner.current.idUser || isSignedOut()) return
    const key = `${placeKey(owner.current, last.current.place)}.${ownWindow}`
    const origins = (first.place === last.current.place ? first.origins : []).filter(([origin]) => origin !== key)
    if (last.current.text !== undefined) {
      const over = origins.length > 0 ? `,"over":${JSON.stringify(origins)}` : ''
      if (storeLocally(key, `{"at":${Date.now()},"value":${last.current.text}${over}}`)) unkept.delete(first)
      else unkept.add(first)
      return
    }
    unkept.delete(first)
    localStorage.removeItem(key)
    for (const [origin, at] of origins) if (readEntry(origin)?.at === at) localStorage.removeItem(origin)
  }
  const write = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (timer.current === undefined) return
    timer.current = undefined
    store()
  })
  useEffect(() => {
    if (text === last.current.text) return
    last.current = { place, text }
    // Also writes while somebody types without a pause.
    timer.current ??= setTimeout(() => write(), delay)
    if (text === undefined) write()
  }, [place, text])
  useEffect(() => {
    isLeft.current = false
    const ended = new AbortController()
    const now = () => write()
    window.addEventListener('pagehide', now, { signal: ended.signal })
    return () => {
      ended.abort()
      now()
      unkept.delete(first)
      isLeft.current = true
    }
  }, [first])
  return (change: (kept: T) => T | undefined) => {
    const { place, text } = last.current
    if (!isLeft.current || text === undefined) return
    const changed = change(JSON.parse(text) as T)
    last.current = { place, text: changed && JSON.stringify(changed) }
    store()
    unkept.delete(first)
  }
}
