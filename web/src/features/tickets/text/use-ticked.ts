import { useRef, useState } from 'react'

/**
 * A text whose boxes are ticked where it stands: what is shown, and the function that stores it anew. Texts are stored one after the other; the last
 * one shows until the stored one has arrived, or the stored one again when it is refused.
 */
export function useTicked(stored: string, store: (text: string) => Promise<unknown>) {
  const [ticked, set] = useState<{ over: string; text: string }>()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const tick = (text: string) => {
    set({ over: stored, text })
    last.current = last.current.then(() => store(text)).catch(() => set(undefined))
  }
  return [ticked?.over === stored ? ticked.text : stored, tick] as const
}
