import { propertyType } from '@tessera/contract/projects/project-config'
import { Select } from '../../../../components/select/select.tsx'
import { formatNumber } from '../../../../lib/display/format.ts'
import { useFields } from '../../list/columns/use-fields.ts'
import type { LanesBy } from '../../list/view/ticket-view.ts'
import styles from './board-tools.module.css'

interface BoardToolsProps {
  idProject: number
  group: string
  onGroup: (group: string) => void
  lanes: LanesBy
  onLanes: (lanes: LanesBy) => void
  /** The number of tickets that match the filters. */
  matching: number | undefined
}

const lanesBy: readonly { value: LanesBy; label: string }[] = [
  { value: 0, label: 'No lanes' },
  { value: 1, label: 'Lanes by parent' },
  { value: 'Assignee', label: 'Lanes by assignee' },
  { value: 'Label', label: 'Lanes by label' },
]

/** The choice of grouping and lanes, and how many tickets match. */
export function BoardTools({ idProject, group, onGroup, lanes, onLanes, matching }: BoardToolsProps) {
  const { fields } = useFields(idProject, group === 'State' || group === 'Assignee' ? '' : group)
  const options = [
    { value: 'State', label: 'State' },
    { value: 'Assignee', label: 'Assignee' },
    ...fields.filter(({ FieldType }) => FieldType === propertyType.SELECT).map(({ Key, Label }) => ({ value: Key, label: Label })),
  ]
  const laneOptions = lanesBy.filter(({ value }) => value !== 'Assignee' || group !== 'Assignee')
  return (
    <div className={styles.tools}>
      <span className={styles.by} aria-hidden>
        Columns by
      </span>
      <Select aria-label="Columns by" value={group} options={options} placeholder={group} onChange={onGroup} className={styles.group} />
      <Select aria-label="Lanes" value={lanes} options={laneOptions} onChange={onLanes} className={styles.lanesBy} />
      {matching !== undefined && <span className={styles.matching}>{formatNumber(matching)} matching</span>}
    </div>
  )
}
