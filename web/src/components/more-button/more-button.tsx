import { Button } from '../button/button.tsx'
import styles from './more-button.module.css'

interface MoreButtonProps {
  label: string
  list: { hasMore: boolean; isFetching: boolean; error: Error | null; more: () => void }
}

/** Shown below a list that has more entries. */
export function MoreButton({ label, list }: MoreButtonProps) {
  if (!list.hasMore) return null
  return (
    <div className={styles.more}>
      {list.error && (
        <p role="alert" className={styles.problem}>
          {list.error.message}
        </p>
      )}
      <Button onClick={() => list.isFetching || list.more()} aria-busy={list.isFetching}>
        {label}
      </Button>
    </div>
  )
}
