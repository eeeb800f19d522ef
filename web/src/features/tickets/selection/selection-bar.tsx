import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryTickets } from '@tessera/contract/tickets'
import { Button } from '../../../components/button/button.tsx'
import { Unseen } from '../../../components/unseen/unseen.tsx'
import { callQuery } from '../../../lib/api.ts'
import { counted, formatNumber } from '../../../lib/format.ts'
import { clearSelection, countSelected, type Matching, selectAllMatching, useSelection } from './selection.ts'
import styles from './selection-bar.module.css'

/** What can be done with the selected tickets. `matching` is what the list or board around it holds. */
export function SelectionBar({ idProject, matching }: { idProject: number; matching: Matching }) {
  const selection = useSelection(idProject)
  const count = countSelected(selection)
  const { data } = useQuery({ ...callQuery(queryTickets, { idProject, ...matching, Limit: 1 }), placeholderData: keepPreviousData })
  const total = data?.Total ?? 0
  const words = selection.all ? `All ${formatNumber(count)} selected` : `${formatNumber(count)} selected`
  return (
    <section aria-label="Selected tickets" className={styles.bar}>
      <div className={styles.count}>{words}</div>
      <Unseen role="status">{selection.all ? `All ${counted(count, 'ticket')} selected` : `${counted(count, 'ticket')} selected`}</Unseen>
      {!selection.all && total > count && (
        <Button variant="text" onClick={() => selectAllMatching(idProject, matching, total)}>
          Select all {formatNumber(total)}
          {isEverything(matching) ? '' : ' that match'}
        </Button>
      )}
      <div className={styles.actions}>
        <Button variant="text" onClick={() => clearSelection(idProject)}>
          CLEAR
        </Button>
      </div>
    </section>
  )
}

/** All tickets of the project, whatever they are. */
function isEverything({ Phases, ...others }: Matching) {
  return Phases?.length === 3 && Object.keys(others).length === 0
}
