import { useState } from 'react'

/**
 * Check boxes that are stored one by one: each shows what was ticked from the click until it is stored or refused.
 * `sent` is undefined for one that is not on its way.
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
      // Ticked again meanwhile, the later one counts.
      set(now => (now.get(key) === entry ? new Map([...now].filter(([other]) => other !== key)) : now))
    }
  }
  return [sent, through] as const
}
