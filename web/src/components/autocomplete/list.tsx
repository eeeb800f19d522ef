import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { onViewChange, putUnder } from '../layer/put-under.ts'
import styles from './autocomplete.module.css'

interface ListProps {
  id: string
  anchor: { current: HTMLElement | null }
  name: { 'aria-labelledby'?: string; 'aria-label'?: string | undefined }
  isMultiple: boolean
  /** The active option, which is scrolled into view. */
  active: string | number | undefined
  /** The list was scrolled close to its end. */
  onEndNear?: () => void
  children: ReactNode
}

/** The open list, at the end of the document so that no container clips it. */
export function List({ id, anchor, name, isMultiple, active, onEndNear, children }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  const place = useEffectEvent(() => {
    if (list.current) putUnder(list.current, anchor.current?.parentElement ?? null, { isWide: true })
  })
  useLayoutEffect(() => place())
  useLayoutEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  // A phone's on-screen keyboard scrolls the page under the list, or covers it.
  useEffect(() => onViewChange(list, place), [])
  return createPortal(
    <section aria-label="Choices">
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-multiselectable={isMultiple || undefined}
        {...name}
        className={styles.list}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) onEndNear?.()
        }}
        // The input keeps the focus.
        onMouseDown={event => event.preventDefault()}
      >
        {children}
      </div>
    </section>,
    document.body,
  )
}
