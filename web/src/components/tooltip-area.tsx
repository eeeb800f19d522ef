import { type PointerEvent, type ReactElement, useState } from 'react'
import { TooltipBubble } from './tooltip.tsx'

/**
 * One tooltip for many elements: whatever inside carries `data-tip` shows it. Rows by the thousand need no tooltip of their own.
 * `data-tip-beyond` names a cell of the row that the words leave free, here and in the rows around: they begin to its right.
 */
export function TooltipArea({ children }: { children: ReactElement }) {
  const [over, setOver] = useState<{ element: Element; text: string }>()
  const close = () => setOver(undefined)
  const enter = ({ target }: PointerEvent) => {
    const element = target instanceof Element ? target.closest('[data-tip]') : null
    const text = element?.getAttribute('data-tip')
    setOver(now => (element && text ? (now?.element === element ? now : { element, text }) : undefined))
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
