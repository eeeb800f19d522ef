import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import styles from './affected-list.module.css'

interface AffectedListProps {
  label: string
  /** Each object by name, with its effect; undefined while counting. */
  rows: readonly { id: number; name: string; words: string }[] | undefined
}

/** What a deletion affects, in numbers. */
export function AffectedList({ label, rows }: AffectedListProps) {
  if (!rows) return <Skeleton height={48} className={styles.loading} />
  if (rows.length === 0) return null
  return (
    <div className={styles.affected}>
      <div className={styles.label}>{label}</div>
      <ul className={styles.list}>
        {rows.map(({ id, name, words }) => (
          <li key={id} className={styles.row}>
            <span className={styles.name}>{name}</span>
            <span className={styles.words}>{words}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
