import { useEffect, useRef, useState } from 'react'

/** A text and the version it has. */
interface Stored {
  text: string
  version: number
}
interface Ticked {
  text: string
  /** The version that the save of this text makes; fails when the save is refused. */
  saved: Promise<number>
  /** What was stored, as far as this page knew, when the save was answered. Missing while the text is being saved. */
  over?: string
}

/**
 * A text whose boxes are ticked where it stands: what is shown, and the function that saves it. Texts are saved one after the other, each with the
 * version of the text that was ticked, so that another person's change is never overwritten. The last one shows until it is saved and the
 * stored one has been loaded again: the next tick builds on it, so no tick is lost to a text that arrives in between. When a save is refused,
 * the stored text shows again and the ticks that wait behind it are dropped. `store` answers the new version.
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
