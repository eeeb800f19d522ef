import { propertyType } from '@tessera/contract/projects/project-config'
import { Select } from '../../../components/select/select.tsx'
import { Switch } from '../../../components/switch/switch.tsx'
import { formatNumber } from '../../../lib/display/format.ts'
import { useFields } from '../list/columns/use-fields.ts'
import styles from './board.module.css'

interface BoardToolsProps {
  idProject: number
  group: string
  onGroup: (group: string) => void
  hasLanes: boolean
  onLanes: (hasLanes: boolean) => void
  /** The number of tickets that match the filters. */
  matching: number | undefined
}

/** The choice of grouping and lanes, and how many tickets match. */
export function BoardTools({ idProject, group, onGroup, hasLanes, onLanes, matching }: BoardToolsProps) {
  const fields = useFields(idProject, group === 'State' || group === 'Assignee' ? '' : group)
  const options = [
    { value: 'State', label: 'State' },
    { value: 'Assignee', label: 'Assignee' },
    ...fields.filter(({ FieldType }) => FieldType === propertyType.SELECT).map(({ Key, Label }) => ({ value: Key, label: Label })),
  ]
  return (
    <div className={styles.tools}>
      <span className={styles.by} aria-hidden>
        Columns by
      </span>
      <Select aria-label="Columns by" value={group} options={options} placeholder={group} onChange={onGroup} className={styles.group} />
      <Switch label="Lanes by parent" checked={hasLanes} onChange={onLanes} />
      {matching !== undefined && <span className={styles.matching}>{formatNumber(matching)} matching</span>}
    </div>
  )
}
