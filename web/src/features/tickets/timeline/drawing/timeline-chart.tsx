import { type CSSProperties, type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo } from 'react'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { TimelineIcon } from '../../../../components/icons/icons.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { scaled } from '../../../../lib/display/larger-font.ts'
import { useRemainingHeight } from '../../../../lib/display/sight/use-remaining-height.ts'
import { weekend } from '../../dates/days/weeks.ts'
import type { BarPlace } from '../data/bar.ts'
import type { ShownLink } from '../data/conflicts.ts'
import { placeOfDay, restDays, type Sight, ticksOf, type Window } from '../timeline-days.ts'
import styles from './timeline.module.css'
import { TimelineLinks } from './timeline-links.tsx'
import { share, TimelineScale } from './timeline-scale.tsx'
import { useSize } from './use-size.ts'

interface TimelineChartProps {
  label: string
  sight: Sight
  window: Window
  today: string
  links: readonly ShownLink[]
  /** Where the bar of each row is. */
  places: readonly (BarPlace | undefined)[]
  isLoading: boolean
  scroller: RefObject<HTMLDivElement | null>
  /** The area of the days. */
  canvas: RefObject<HTMLDivElement | null>
  /** The rows. */
  children: ReactNode
}

/** The days across, a row for each ticket, and arrows for their links. It scrolls by itself, so that its head and first column stay in sight. */
export function TimelineChart({ label, sight, window, today, links, places, isLoading, scroller, canvas, children }: TimelineChartProps) {
  const size = useSize(canvas)
  const height = useRemainingHeight(scroller, { below: scaled(24), lowest: scaled(320) })
  const { count } = window
  const todayAt = placeOfDay(window, today)
  const rests = useMemo(() => restDays(window, weekend()), [window])
  // Where the days do not fit in, the one that the person chose comes into sight.
  const showDay = useEffectEvent(() => {
    const at = placeOfDay(window, sight.day) ?? 0
    if (scroller.current && canvas.current)
      scroller.current.scrollTo({ left: (at / count) * canvas.current.clientWidth - scaled(32), behavior: 'instant' })
  })
  useEffect(() => showDay(), [window.from, window.count])
  return (
    <div ref={scroller} className={styles.scroller} data-zoom={sight.zoom} style={{ '--height': `${height}px` } as CSSProperties}>
      <div className={styles.head}>
        <div aria-hidden className={styles.corner}>
          Ticket
        </div>
        <TimelineScale window={window} zoom={sight.zoom} today={today} />
      </div>
      <div className={styles.body}>
        <div ref={canvas} aria-hidden className={styles.canvas}>
          {rests.map(rest => (
            <span key={rest.at} className={styles.rest} style={share(rest, count)} />
          ))}
          {ticksOf(window, 'quarter').map(({ at }) => (
            <span key={at} className={styles.week} style={{ left: share({ at, days: 0 }, count).left }} />
          ))}
          {todayAt !== undefined && <span className={styles.now} style={{ left: share({ at: todayAt + 0.5, days: 0 }, count).left }} />}
          <TimelineLinks links={links} places={places} count={count} size={size} />
        </div>
        {places.length > 0 ? (
          <ul aria-label={label}>{children}</ul>
        ) : (
          <div className={styles.none}>
            {isLoading ? (
              [0, 1, 2, 3].map(row => <Skeleton key={row} height={20} />)
            ) : (
              <EmptyState dense icon={<TimelineIcon />} title="No tickets on these days" />
            )}
          </div>
        )}
      </div>
    </div>
  )
}
