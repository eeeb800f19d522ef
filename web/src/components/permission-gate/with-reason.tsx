import type { ReactNode } from 'react'
import { Tooltip } from '../tooltip/tooltip.tsx'

interface WithReasonProps {
  reason: string
  /** The disabled element fills the line. */
  isWide?: boolean
  onOpen?: () => void
  children: ReactNode
}

/** Says why the element inside is disabled. A disabled element takes neither focus nor pointer, so the element around it does. */
export function WithReason({ reason, isWide = false, onOpen, children }: WithReasonProps) {
  const room = isWide ? { display: 'flex', flex: 1, minWidth: 0 } : { display: 'inline-flex' }
  return (
    <Tooltip title={reason} {...(onOpen && { onOpen })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: no form lies behind it */}
      <span role="group" tabIndex={0} style={{ ...room, cursor: 'not-allowed' }}>
        {children}
      </span>
    </Tooltip>
  )
}
