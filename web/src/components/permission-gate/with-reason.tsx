import type { ReactNode } from 'react'
import { Tooltip } from '../tooltip/tooltip.tsx'

interface WithReasonProps {
  /** Undefined while the element is enabled. */
  reason: string | undefined
  /** The disabled element fills the line. */
  isWide?: boolean
  onOpen?: () => void
  children: ReactNode
}

/** Says why the element inside is disabled. A disabled element takes neither focus nor pointer, so the element around it does, also by keyboard. */
export function WithReason({ reason, isWide = false, onOpen, children }: WithReasonProps) {
  const room = isWide ? { display: 'flex', flex: 1, minWidth: 0 } : { display: 'inline-flex' }
  return (
    <Tooltip title={reason ?? ''} {...(onOpen && { onOpen })}>
      <span
        {...(reason !== undefined && { role: 'group', tabIndex: 0 })}
        style={{ ...room, ...(reason !== undefined && { cursor: 'not-allowed' }) }}
      >
        {children}
      </span>
    </Tooltip>
  )
}
