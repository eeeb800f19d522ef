import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Calls `onNear` when the end of the list is near and nothing is being loaded. */
export function EndOfList({ isBusy, onNear }: { isBusy: boolean; onNear: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => setNear(entries.at(-1)?.isIntersecting === true), { rootMargin: '1200px' })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (isNear && !isBusy) near()
  }, [isNear, isBusy])
  return <div ref={element} />
}
