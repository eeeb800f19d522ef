import { useEffect, useEffectEvent, useRef } from 'react'
import { keptFor } from './private-storage.ts'
import { currentSession } from './session.tsx'

/** How long something typed may be on the screen alone, in milliseconds. */
const delay = 300

/** What was typed and not saved, and when. */
export interface Kept<T> {
  at: number
  value: T
}

const keyOf = ({ idUser, idOrganization }: { idUser: number; idOrganization: number }, place: string) =>
  `${keptFor(idUser)}${idOrganization}.${place}`

/** What this person typed at a place, such as `comment-12`, and has not saved. */
export function readKept<T>(place: string): Kept<T> | undefined {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(currentSession(), place)) ?? 'null') as Kept<T> | null) ?? undefined
  } catch {
    return undefined
  }
}

function store(key: string, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The browser keeps no more, or nothing at all. What is on the screen stays there.
  }
}

/** Keeps a value in this browser while it is not undefined: it is there again after a reload or a crash, for this person only. */
export function useKept(place: string, value: unknown) {
  const text = value === undefined ? undefined : JSON.stringify(value)
  const last = useRef({ place, text })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const owner = useRef(currentSession())
  const write = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (timer.current === undefined) return
    timer.current = undefined
    // Whoever signed out leaves nothing behind.
    if (currentSession().idUser !== owner.current.idUser) return
    const key = keyOf(owner.current, last.current.place)
    if (last.current.text === undefined) localStorage.removeItem(key)
    else store(key, `{"at":${Date.now()},"value":${last.current.text}}`)
  })
  useEffect(() => {
    if (text === last.current.text) return
    last.current = { place, text }
    // Who types on without a pause is not waited for.
    timer.current ??= setTimeout(() => write(), delay)
    if (text === undefined) write()
  }, [place, text])
  useEffect(() => {
    const ended = new AbortController()
    const now = () => write()
    window.addEventListener('pagehide', now, { signal: ended.signal })
    return () => {
      ended.abort()
      now()
    }
  }, [])
}
