import type { Phase } from '@tessera/contract/scalars'
import { CheckBox } from '../../../components/check-box/check-box.tsx'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { ScrollArea } from '../../../components/scroll-area/scroll-area.tsx'
import { hasMove, type Move } from './workflow.ts'
import styles from './workflow-table.module.css'

interface WorkflowTableProps {
  states: readonly { id: number; Description: string; phase: Phase }[]
  moves: readonly Move[]
  readOnly: boolean
  onMove: (from: number, to: number, on: boolean) => void
}

/** The same moves as the diagram: from the row's state to the column's. */
export function WorkflowTable({ states, moves, readOnly, onMove }: WorkflowTableProps) {
  return (
    <ScrollArea label="Moves between states" hint="Scroll sideways to see every state." className={styles.area}>
      <DataTable className={styles.matrix} aria-label="Moves between states">
        <thead>
          <tr>
            <th scope="col">From \ To</th>
            {states.map(({ id, Description }) => (
              <th key={id} scope="col" className={styles.target}>
                <div className={styles.turned}>{Description}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {states.map(from => (
            <tr key={from.id}>
              <th scope="row">
                <span className={styles.from}>
                  <PhaseMark phase={from.phase} labeled />
                  {from.Description}
                </span>
              </th>
              {states.map(to => (
                <td key={to.id}>
                  {from.id === to.id ? (
                    <span aria-hidden className={styles.same}>
                      ·
                    </span>
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
      </DataTable>
    </ScrollArea>
  )
}
