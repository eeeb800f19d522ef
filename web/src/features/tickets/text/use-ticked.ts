import { useEffect, useRef, useState } from 'react'

/** A text and its version. */
interface Stored {
  text: string
  version: number
}
interface Ticked {
  text: string
  /** The version that the save of this text makes; fails when the save is refused. */
  saved: Promise<number>
  /** The stored text known to this page when the save was answered. Missing while the text is being saved. */
  over?: string
}

/**
 * A text whose tasks are ticked in place: what is shown, and the function that saves it. Saves run one after the other, each with the version of the
 * text that was ticked, so that another person's change is never overwritten. The last text is shown until it is saved and has been loaded again:
 * the next tick builds on it, so no tick is lost to a text that arrives in between. When a save is refused, the stored text is shown again and the
 * queued ticks are dropped. `store` returns the new version.
 */
export function useTicked(stored: Stored, store: (text: string, version: number) => Promise<number>) {
  const [ticked, set] = useState<Ticked>()
  const latest = useRef(stored.text)
  useEffect(() => {
    latest.current = stored.text
  }, [stored.text])
  if (ticked?.over !== undefined && ticked.over !== stored.text) set(undefined)
  // The ticks of one moment build on each other before the page is drawn again.
  const last = useRef<Ticked>(undefined)
  useEffect(() => {
    last.current = ticked
  }, [ticked])
  const tick = (text: string) => {
    const base = last.current?.saved ?? Promise.resolve(stored.version)
    const mine: Ticked = { text, saved: base.then(version => store(text, version)) }
    last.current = mine
    set(mine)
    mine.saved.then(
      () => set(now => (now === mine ? { ...mine, over: latest.current } : now)),
      () => set(undefined),
    )
  }
  return [ticked?.text ?? stored.text, tick] as const
}
