import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { moveFocus } from '../../lib/input/move-focus.ts'
import { Layer } from '../layer/layer.tsx'
import { putUnder } from '../layer/put-under.ts'
import styles from './menu.module.css'

interface PanelProps {
  role: 'menu' | 'listbox'
  label?: string | undefined
  labelledBy?: string | undefined
  id?: string | undefined
  /** Placed under this element, or above if there is more room. */
  anchor: RefObject<HTMLElement | null>
  /** At least as wide as the anchor. */
  isWide?: boolean
  onClose: () => void
  /** Elements of role `menuitem…` or `option`. */
  children: ReactNode
}

const entries = '[role^=menuitem]:not([aria-disabled=true]), [role=option]:not([aria-disabled=true])'

/** A digit chooses the entry of that number. */
function chooseByNumber({ key, ctrlKey, metaKey, altKey, currentTarget }: KeyboardEvent<HTMLElement>) {
  if (!currentTarget.matches('[data-numbered]') || !/^[1-9]$/.test(key) || ctrlKey || metaKey || altKey) return false
  const entry = currentTarget.querySelectorAll<HTMLElement>(entries)[Number(key) - 1]
  entry?.click()
  return entry !== undefined
}

/** The list that a menu or a select opens, placed at its anchor, with the focus on the chosen entry or else the first. */
export function Panel({ role, label, labelledBy, id, anchor, isWide = false, onClose, children }: PanelProps) {
  const list = useRef<HTMLDivElement>(null)
  const name = { 'aria-label': label, 'aria-labelledby': labelledBy }
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const place = () => putUnder(element, anchor.current, { isWide })
    place()
    window.addEventListener('resize', place)
    // Entries that load later may be wider than the first ones.
    const observer = new ResizeObserver(place)
    observer.observe(element)
    return () => {
      window.removeEventListener('resize', place)
      observer.disconnect()
    }
  }, [anchor, isWide])
  // When a change by somebody else removes the entry that has the focus, the keys go on working, and Enter chooses nothing by mistake.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) list.current?.focus()
    // Entries that begin with digits are found by typing them; they may load later.
    const all = [...(list.current?.querySelectorAll(entries) ?? [])]
    list.current?.toggleAttribute('data-numbered', !all.some(({ textContent }) => /^\d/.test(textContent.trim())))
  })
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[data-chosen]:not([aria-disabled=true])')
    const first = chosen ?? list.current?.querySelector<HTMLElement>(entries) ?? list.current
    first?.focus()
  }, [])
  return (
    <Layer onDismiss={onClose} closesOnTab landmark={name} className={styles.layer}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles */}
      <div
        ref={list}
        role={role}
        {...(id && { id })}
        {...name}
        tabIndex={-1}
        className={styles.list}
        onKeyDown={event => {
          if (!chooseByNumber(event)) moveFocus(event, entries)
        }}
      >
        {children}
      </div>
    </Layer>
  )
}
