import Tooltip from '@mui/material/Tooltip'
import { type PointerEvent, type ReactElement, useState } from 'react'

/** One tooltip for many elements: whatever inside carries `data-tip` shows it. Rows by the thousand need no tooltip of their own. */
export function TooltipArea({ children }: { children: ReactElement }) {
  const [over, setOver] = useState<{ element: Element; text: string }>()
  const enter = ({ target }: PointerEvent) => {
    const element = target instanceof Element ? target.closest('[data-tip]') : null
    const text = element?.getAttribute('data-tip')
    setOver(now => (element && text ? (now?.element === element ? now : { element, text }) : undefined))
  }
  return (
    <Tooltip
      open={over?.element.isConnected === true}
      title={over?.text ?? ''}
      describeChild
      disableFocusListener
      disableHoverListener
      disableTouchListener
      slotProps={{ popper: { anchorEl: over?.element ?? null } }}
    >
      <div onPointerOver={enter} onPointerLeave={() => setOver(undefined)}>
        {children}
      </div>
    </Tooltip>
  )
}
