import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import type { Phase } from '@tessera/contract/scalars'
import { CheckBox } from '../../components/check-box/check-box.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PhaseMark } from '../../components/phase-mark.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { hasMove, type Move } from './workflow.ts'
import styles from './workflow-table.module.css'

const Matrix = styled(DataTable)(({ theme: { vars } }) => ({
  width: 'auto',
  '& thead th': { height: 'auto', verticalAlign: 'bottom', paddingBlock: 8 },
  '& thead th.target': { width: 36, minWidth: 36, paddingInline: 0 },
  '& .turned': { writingMode: 'vertical-rl', transform: 'rotate(180deg)', lineHeight: '36px', maxHeight: 180, overflow: 'hidden' },
  '& td': { padding: '0 !important', width: 36, textAlign: 'center' },
  '& tr > :first-child': {
    position: 'sticky',
    left: 0,
    zIndex: 1,
    minWidth: 140,
    backgroundColor: vars.palette.background.paper,
  },
  '& tbody tr:hover > *': { backgroundColor: vars.palette.action.hover },
}))

interface WorkflowTableProps {
  states: readonly { id: number; Description: string; phase: Phase }[]
  moves: readonly Move[]
  readOnly: boolean
  onMove: (from: number, to: number, on: boolean) => void
}

/** The same moves as the diagram: from the row's state to the column's. */
export function WorkflowTable({ states, moves, readOnly, onMove }: WorkflowTableProps) {
  return (
    <ScrollArea label="Moves between states" className={styles.area}>
      <Matrix aria-label="Moves between states">
        <thead>
          <tr>
            <th scope="col">From \ To</th>
            {states.map(({ id, Description }) => (
              <th key={id} scope="col" className="target">
                <div className="turned">{Description}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {states.map(from => (
            <tr key={from.id}>
              <th scope="row">
                <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
                  <PhaseMark phase={from.phase} labelled />
                  {from.Description}
                </Box>
              </th>
              {states.map(to => (
                <td key={to.id}>
                  {from.id === to.id ? (
                    <Box component="span" aria-hidden sx={{ color: 'text.disabled' }}>
                      ·
                    </Box>
                  ) : (
                    <CheckBox
                      label={`From ${from.Description} to ${to.Description}`}
                      checked={hasMove(moves, from.id, to.id)}
                      disabled={readOnly}
                      onChange={on => onMove(from.id, to.id, on)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Matrix>
    </ScrollArea>
  )
}
