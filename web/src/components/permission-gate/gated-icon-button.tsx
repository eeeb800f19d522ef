import type { ComponentProps } from 'react'
import { IconButton } from '../icon-button/icon-button.tsx'
import { Tooltip } from '../tooltip/tooltip.tsx'
import { PermissionGate } from './permission-gate.tsx'

type Gate = Pick<ComponentProps<typeof PermissionGate>, 'idProject' | 'needs' | 'held' | 'reason'>

/** An icon button for what needs a permission. Its tooltip is its name or, while it is disabled, the reason. */
export function GatedIconButton({ label, idProject, needs, held, reason, ...button }: { label: string } & Gate & ComponentProps<'button'>) {
  return (
    <PermissionGate idProject={idProject} needs={needs} held={held} reason={reason}>
      {refused => {
        const icon = <IconButton aria-label={label} disabled={refused} {...button} />
        return refused ? icon : <Tooltip title={label}>{icon}</Tooltip>
      }}
    </PermissionGate>
  )
}
