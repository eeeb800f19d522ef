import type { Phase } from '@tessera/contract/scalars'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { WarningIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { stateNodeSize } from './workflow-layout.ts'
import styles from './workflow-state-node.module.css'

export type StateNode = Node<{ name: string; phase: Phase; isEntry: boolean; isFlawed: boolean; readOnly: boolean }, 'state'>

/** A state of the diagram, colored by its phase; drag from its right edge. */
export function WorkflowStateNode({ data, selected }: NodeProps<StateNode>) {
  const { name, phase, isEntry, isFlawed, readOnly } = data
  return (
    <div
      className={styles.node}
      style={stateNodeSize}
      data-phase={phase}
      data-selected={selected || undefined}
      data-readonly={readOnly || undefined}
    >
      <Handle type="target" position={Position.Left} isConnectable={!readOnly} />
      <PhaseMark phase={phase} />
      <span className={styles.name} title={name}>
        {name}
      </span>
      {isEntry && <span className={styles.entry}>Initial</span>}
      {isFlawed && (
        <span className={styles.flaw}>
          <WarningIcon fontSize="small" titleAccess="Cannot be reached or left" />
        </span>
      )}
      <Handle type="source" position={Position.Right} isConnectable={!readOnly} />
    </div>
  )
}
