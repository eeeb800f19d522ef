import { useRef, useState } from 'react'

/**
 * Check boxes that are saved one by one: each shows the new value from the click until it is saved or refused. The values of one box are stored one
 * after the other: the last one chosen is the last one stored. `sent` is undefined for a box without a pending save.
 */
export function useSending() {
  const [entries, set] = useState<ReadonlyMap<string, { on: boolean }>>(new Map())
  const storing = useRef(new Map<string, Promise<void>>())
  const sent = (key: string) => entries.get(key)?.on
  const through = async (key: string, on: boolean, store: () => Promise<void>) => {
    const entry = { on }
    set(now => new Map(now).set(key, entry))
    const earlier = storing.current.get(key)
    const mine = earlier ? earlier.then(store, store) : store()
    storing.current.set(key, mine)
    try {
      await mine
    } finally {
      if (storing.current.get(key) === mine) storing.current.delete(key)
      // If toggled again in between, the later value counts.
      set(now => (now.get(key) === entry ? new Map([...now].filter(([other]) => other !== key)) : now))
    }
  }
  return [sent, through] as const
}
