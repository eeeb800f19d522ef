import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './scroll-area.module.css'

interface ScrollAreaProps {
  /** The accessible name of the area. */
  label: string
  className?: string | undefined
  /** Shown under it while the content is wider than the area. */
  hint?: string
  children: ReactNode
}

/** Scrolls content that does not fit; it is focusable only then. */
export function ScrollArea({ label, className, hint, children }: ScrollAreaProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [isWider, setWider] = useState(false)
  /** Something is hidden beyond its right edge. */
  const [hasMore, setMore] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const hidden = element.scrollWidth - element.clientWidth
      setScrolled(hidden > 0 || element.scrollHeight > element.clientHeight)
      setWider(hidden > 0)
      // Ignores fractions of a pixel.
      setMore(element.scrollLeft < hidden - 1)
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return (
    <>
      <div
        ref={box}
        {...(isScrolled && { tabIndex: 0, role: 'group', 'aria-label': label })}
        data-more={hasMore || undefined}
        className={classNames(styles.area, className)}
      >
        {children}
      </div>
      {hint && isWider && <p className={styles.hint}>{hint}</p>}
    </>
  )
}
