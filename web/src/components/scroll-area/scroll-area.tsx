import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './scroll-area.module.css'

interface ScrollAreaProps {
  /** The accessible name of the area. */
  label: string
  className?: string | undefined
  children: ReactNode
}

/** Scrolls content that does not fit; it is focusable only then. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() =>
      setScrolled(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} {...(isScrolled && { tabIndex: 0, role: 'group', 'aria-label': label })} className={classNames(styles.area, className)}>
      {children}
    </div>
  )
}
