import { type PointerEvent, type ReactElement, useState } from 'react'
import { TooltipBubble } from './tooltip.tsx'

/**
 * One tooltip for many elements: every element inside with `data-tip` shows it, so that thousands of rows need no tooltip component each.
 * `data-tip-beyond` names a cell that the tooltip must not cover, in this row and its neighbours: it begins to the right of that cell.
 */
export function TooltipArea({ children }: { children: ReactElement }) {
  const [over, setOver] = useState<{ element: Element; text: string }>()
  const close = () => setOver(undefined)
  const enter = ({ target }: PointerEvent) => {
    const element = target instanceof Element ? target.closest('[data-tip]') : null
    const text = element?.getAttribute('data-tip')
    if (element && text) setOver(now => (now?.element === element ? now : { element, text }))
    else close()
  }
  return (
    <>
      <div onPointerOver={enter} onPointerLeave={close}>
        {children}
      </div>
      {over?.element.isConnected && (
        <TooltipBubble anchor={{ current: over.element }} beyond={cellToLeaveFree(over.element)} text={over.text} onClose={close} />
      )}
    </>
  )
}

function cellToLeaveFree(element: Element) {
  const selector = element.getAttribute('data-tip-beyond')
  return (selector && element.closest('tr')?.querySelector(selector)) || undefined
}
