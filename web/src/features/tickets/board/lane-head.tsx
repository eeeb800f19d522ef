import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { ChevronRightIcon } from '../../../components/icons/icons.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { PageLink } from '../../../lib/navigation/page-link.tsx'
import boardStyles from './board.module.css'
import { type Band, sizes } from './board-layout.ts'
import styles from './lane-head.module.css'
import type { LaneTitle } from './lanes.ts'

interface LaneHeadProps {
  title: LaneTitle
  /** Its loaded cards, also those that are not shown. */
  total: number
  band: Band
  width: number
  onCollapse: () => void
}

/** The heading of a lane, with the button that folds it. */
export function LaneHead({ title, total, band, width, onCollapse }: LaneHeadProps) {
  return (
    <div className={styles.lane} style={{ top: band.top, width, height: sizes.laneHead }}>
      <div className={styles.words}>
        <IconButton
          small
          className={boardStyles.fold}
          aria-expanded={!band.isCollapsed}
          aria-label={`Lane ${title.name}`}
          onClick={onCollapse}
        >
          <ChevronRightIcon fontSize="small" />
        </IconButton>
        <LaneName {...title} />
        <span className={styles.total}>{total}</span>
      </div>
    </div>
  )
}

function LaneName({ name, parent, color }: LaneTitle) {
  if (color) return <LabelChip name={name} color={color} />
  if (!parent) return <span className={styles.name}>{name}</span>
  return (
    <PageLink to={`/view-ticket/${parent.id}`} className={styles.name} title={name}>
      <span className={styles.key}>{parent.key}</span> {parent.Title}
    </PageLink>
  )
}
