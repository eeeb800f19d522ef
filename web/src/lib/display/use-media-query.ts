import { useCallback, useSyncExternalStore } from 'react'
import { inRem } from './in-rem.ts'

/** Whether a media query matches: `(width < 600px)`. Pure style differences belong in the stylesheet. */
export function useMediaQuery(pixels: string) {
  const query = inRem(pixels)
  const listen = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  // jsdom does not implement matchMedia.
  return useSyncExternalStore(typeof matchMedia === 'undefined' ? () => () => undefined : listen, () =>
    typeof matchMedia === 'undefined' ? false : matchMedia(query).matches,
  )
}
