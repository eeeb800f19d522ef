import { useEffect, useRef, useState } from 'react'

interface Ticked {
  text: string
  /** What was stored, as far as this page knew, when the save was answered. Missing while the text is being saved. */
  over?: string
}

/**
 * A text whose boxes are ticked where it stands: what is shown, and the function that saves it. Texts are saved one after the other. The last one
 * shows until it is saved and the stored one has been loaded again: the next tick builds on it, so no tick is lost to a text that arrives in
 * between. When a save is refused, the stored text shows again and the ticks that wait behind it are dropped.
 */
export function useTicked(stored: string, store: (text: string) => Promise<unknown>) {
  const [ticked, set] = useState<Ticked>()
  const latest = useRef(stored)
  useEffect(() => {
    latest.current = stored
  }, [stored])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  if (ticked?.over !== undefined && ticked.over !== stored) set(undefined)
  const tick = (text: string) => {
    const mine: Ticked = { text }
    set(mine)
    last.current = last.current.then(() => store(text))
    last.current.then(
      () => set(now => (now === mine ? { text, over: latest.current } : now)),
      () => {
        set(undefined)
        last.current = Promise.resolve()
      },
    )
  }
  return [ticked?.text ?? stored, tick] as const
}
