import { useState } from 'react'

/**
 * Check boxes that are saved one by one: each shows the new value from the click until it is saved or refused. `sent` is undefined for a
 * box without a pending save.
 */
export function useSending() {
  const [entries, set] = useState<ReadonlyMap<string, { on: boolean }>>(new Map())
  const sent = (key: string) => entries.get(key)?.on
  const through = async (key: string, on: boolean, store: () => Promise<void>) => {
    const entry = { on }
    set(now => new Map(now).set(key, entry))
    try {
      await store()
    } finally {
      // If toggled again in between, the later value counts.
      set(now => (now.get(key) === entry ? new Map([...now].filter(([other]) => other !== key)) : now))
    }
  }
  return [sent, through] as const
}
