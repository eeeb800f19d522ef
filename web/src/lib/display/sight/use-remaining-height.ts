import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

/** The height from the top of the element to `below` pixels above the end of the window, at least `lowest`, in pixels. */
export function useRemainingHeight(element: RefObject<HTMLElement | null>, { below, lowest }: { below: number; lowest: number }) {
  const [height, setHeight] = useState(lowest)
  const fit = useEffectEvent(() => {
    if (!element.current) return
    const top = element.current.getBoundingClientRect().top + window.scrollY
    setHeight(Math.max(lowest, window.innerHeight - top - below))
  })
  useLayoutEffect(() => fit())
  useEffect(() => {
    const onResize = () => fit()
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])
  return height
}
