import type { BarPlace } from '../data/bar.ts'
import type { ShownLink } from '../data/conflicts.ts'
import { linkPath, linkRoom } from './link-path.ts'
import styles from './timeline.module.css'

interface TimelineLinksProps {
  links: readonly ShownLink[]
  /** Where the bar of each row is; undefined while it is out of sight. */
  places: readonly (BarPlace | undefined)[]
  /** How many days are in sight. */
  count: number
  /** The size of the days' area in pixels. */
  size: { width: number; height: number }
}

/** Half the width of a ticket with one day only, in pixels. */
const point = 8

/** The links as arrows from the end of a bar to the start of another. The rows say the same in words. */
export function TimelineLinks({ links, places, count, size: { width, height } }: TimelineLinksProps) {
  const rowHeight = height / Math.max(1, places.length)
  // At the edge of the days an arrow turns above the bar, or it would turn out of sight.
  const edges = ({ at, days, isPoint }: BarPlace) => {
    const day = width / count
    const middle = (at + days / 2) * day
    const [left, right] = isPoint ? [middle - point, middle + point] : [at * day, (at + days) * day]
    return { left: Math.max(left, linkRoom), right: Math.min(right, width - linkRoom) }
  }
  // Those of a conflict are drawn over the others.
  const inOrder = [...links].sort((one, other) => Number(one.conflict !== undefined) - Number(other.conflict !== undefined))
  return (
    <svg aria-hidden className={styles.links} width={width} height={height}>
      {inOrder.map(({ idFrom, idTo, from, to, conflict }) => {
        const [start, end] = [places[from], places[to]]
        if (!start || !end || width === 0) return null
        const y = (row: number) => (row + 0.5) * rowHeight
        const d = linkPath({ x: edges(start).right, y: y(from) }, { x: edges(end).left, y: y(to) }, rowHeight)
        return <path key={`${idFrom} ${idTo}`} d={d} data-link={`${idFrom} ${idTo}`} data-conflict={conflict !== undefined || undefined} />
      })}
    </svg>
  )
}
