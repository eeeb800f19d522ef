import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/display/format.ts'
import { useMediaQuery } from '../../lib/display/use-media-query.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import styles from './charts.module.css'
import { ticksTo } from './range.ts'

const [left, right, top, bottom] = [36, 8, 8, 24]

/** Of a name below a column, about. */
const widthOf = (name: string) => 6 * name.length

interface PictureProps {
  /** The highest value. */
  most: number
  /** Below the columns; as many are shown as there is room for. */
  names: readonly string[]
  children: (scale: { x: (column: number) => number; y: (value: number) => number; width: number }) => ReactNode
}

/** Two axes, and between them what `children` draws: columns of `width` from `x` on, values up to `y`. */
export function Picture({ most, names, children }: PictureProps) {
  const isNarrow = useMediaQuery('(width < 37.5rem)')
  const [width, height] = isNarrow ? [350, 220] : [640, 240]
  const ticks = ticksTo(most)
  const highest = ticks.at(-1) ?? 1
  const column = (width - left - right) / Math.max(1, names.length)
  const x = (index: number) => left + index * column
  const y = (value: number) => height - bottom - (value / highest) * (height - top - bottom)
  const every = Math.ceil(names.length / (isNarrow ? 3 : 6))
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={styles.svg}>
      <title>Chart</title>
      {ticks.map(tick => (
        <g key={tick}>
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} className={styles.line} />
          <text x={left - 6} y={y(tick) + 4} textAnchor="end" fontSize={12} className={styles.axis}>
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {names.map((name, index) =>
        index % every === 0 && x(index) + widthOf(name) <= width ? (
          <text key={name} x={x(index)} y={height - 6} fontSize={12} className={styles.axis}>
            {name}
          </text>
        ) : null,
      )}
      {children({ x, y, width: column })}
    </svg>
  )
}

/** An area of a chart that says what it is and leads to its list. For the pointer: the keyboard has the table. */
export function Spot({
  name,
  path,
  ...box
}: {
  name: string
  path: string
  x: number
  y: number
  width: number
  height: number
  fill?: string
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has the table
    <rect {...box} className={box.fill ? styles.bar : styles.spot} onClick={() => void navigate(path)}>
      <title>{name}</title>
    </rect>
  )
}
