import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { sizes } from '../board-layout.ts'
import styles from './board-skeleton.module.css'

/** The board while it is loaded. */
export function BoardSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden>
      {[4, 3, 2, 3, 1].map((cards, column) => (
        <div key={column}>
          <Skeleton height={28} width="60%" />
          {Array.from({ length: cards }, (_, card) => (
            <Skeleton key={card} height={`${sizes.card}px`} />
          ))}
        </div>
      ))}
    </div>
  )
}
