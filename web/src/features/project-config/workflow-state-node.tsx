import Box from '@mui/material/Box'
import type { Phase } from '@tessera/contract/scalars'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { WarningIcon } from '../../components/icons.tsx'
import { PhaseMark } from '../../components/phase-mark.tsx'

export type StateNode = Node<{ name: string; phase: Phase; isEntry: boolean; isFlawed: boolean; readOnly: boolean }, 'state'>

export const stateNodeSize = { width: 176, height: 48 }
const colors = { 1: 'phase.proposed', 2: 'phase.active', 3: 'phase.inactive' } as const

/** A state of the diagram, coloured by its phase; drag from its right edge. */
export function WorkflowStateNode({ data, selected }: NodeProps<StateNode>) {
  const { name, phase, isEntry, isFlawed, readOnly } = data
  return (
    <Box
      sx={{
        ...stateNodeSize,
        boxSizing: 'border-box',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 1.5,
        border: 1,
        borderLeft: 4,
        borderColor: colors[phase],
        borderRadius: '10px',
        bgcolor: 'background.paper',
        boxShadow: selected ? '0 0 0 2px var(--mui-palette-primary-main)' : '0 1px 3px rgb(0 0 0 / 0.08)',
        fontSize: 13,
        fontWeight: 500,
        '& .react-flow__handle': {
          width: 12,
          height: 12,
          border: 2,
          borderColor: 'background.paper',
          bgcolor: 'text.disabled',
          opacity: readOnly ? 0 : 1,
          '&:hover': { bgcolor: 'primary.main' },
        },
        '& .react-flow__handle-left': { opacity: 0 },
      }}
    >
      <Handle type="target" position={Position.Left} isConnectable={!readOnly} />
      <PhaseMark phase={phase} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }} title={name}>
        {name}
      </Box>
      {isEntry && (
        <Box component="span" sx={{ px: 0.75, borderRadius: 1, bgcolor: 'soft', color: 'primary.main', fontSize: 12, fontWeight: 600 }}>
          Initial
        </Box>
      )}
      {isFlawed && <WarningIcon fontSize="small" color="warning.main" titleAccess="Cannot be reached or left" />}
      <Handle type="source" position={Position.Right} isConnectable={!readOnly} />
    </Box>
  )
}
