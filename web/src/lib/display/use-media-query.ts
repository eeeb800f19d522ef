import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches: `(width < 37.5rem)`. Pure style differences belong in the stylesheet. */
export function useMediaQuery(query: string) {
  const listen = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}
