import { type PointerEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { TooltipBubble } from './tooltip.tsx'

/** In milliseconds: enough for the pointer to reach the bubble, in which it may rest (WCAG 1.4.13). */
const grace = 100

/**
 * One tooltip for many elements: every element inside with `data-tip` shows it, so that thousands of rows need no tooltip component each.
 * `data-tip-beyond` names a cell that the tooltip must not cover, in this row and its neighbors: it begins to the right of that cell.
 */
export function TooltipArea({ children }: { children: ReactElement }) {
  const [over, setOver] = useState<{ element: Element; text: string }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = () => clearTimeout(timer.current)
  const close = () => setOver(undefined)
  const closeSoon = () => {
    keep()
    timer.current = setTimeout(close, grace)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const enter = ({ target }: PointerEvent) => {
    const element = target instanceof Element ? target.closest('[data-tip]') : null
    const text = element?.getAttribute('data-tip')
    if (!element || !text) return closeSoon()
    keep()
    setOver(now => (now?.element === element ? now : { element, text }))
  }
  return (
    <>
      <div onPointerOver={enter} onPointerLeave={closeSoon}>
        {children}
      </div>
      {over?.element.isConnected && (
        <TooltipBubble
          anchor={{ current: over.element }}
          beyond={cellToLeaveFree(over.element)}
          text={over.text}
          onPointerEnter={keep}
          onPointerLeave={closeSoon}
          onClose={close}
        />
      )}
    </>
  )
}

function cellToLeaveFree(element: Element) {
  const selector = element.getAttribute('data-tip-beyond')
  return (selector && element.closest('tr')?.querySelector(selector)) || undefined
}
