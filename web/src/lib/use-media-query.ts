import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds: `(width < 600px)`. What only looks different belongs into the stylesheet. */
export function useMediaQuery(query: string) {
  const listen = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  // jsdom has no media.
  return useSyncExternalStore(typeof matchMedia === 'undefined' ? () => () => undefined : listen, () =>
    typeof matchMedia === 'undefined' ? false : matchMedia(query).matches,
  )
}
