import { monthsOf, placeOfDay, type Tick, ticksOf, type Window, type Zoom } from '../timeline-days.ts'
import styles from './timeline.module.css'

interface TimelineScaleProps {
  window: Window
  zoom: Zoom
  today: string
}

/** A part of the days in sight as a part of the width. */
export function share({ at, days }: Pick<Tick, 'at' | 'days'>, count: number) {
  return { left: `${(at / count) * 100}%`, width: `${(days / count) * 100}%` }
}

/** The months and days above the bars. Each row says its days in words, so this is not read out. */
export function TimelineScale({ window, zoom, today }: TimelineScaleProps) {
  const { count } = window
  const todayAt = placeOfDay(window, today)
  return (
    <div aria-hidden className={styles.scale}>
      {monthsOf(window).map(month => (
        <span key={month.at} className={styles.month} style={share(month, count)}>
          {month.days / count > 0.09 && <span>{month.label}</span>}
        </span>
      ))}
      {ticksOf(window, zoom).map(tick => (
        <span key={tick.at} className={styles.tick} data-zoom={zoom} style={share(tick, count)}>
          <span className={zoom !== 'quarter' && tick.at === todayAt ? styles.today : undefined}>{tick.label}</span>
        </span>
      ))}
    </div>
  )
}
