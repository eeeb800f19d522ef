import type { Response } from '@tessera/contract/call'
import type { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { counted, formatDay, formatNumber } from '../../lib/display/format.ts'
import { rangeName } from '../tickets/dates/days/day-names.ts'
import { ChartCard } from './chart-card.tsx'
import styles from './charts.module.css'
import { closedIn, createdIn, inPhase, openOfAge } from './paths.ts'
import { Picture, Spot } from './picture.tsx'
import type { Bucket } from './range.ts'

type Statistics = Response<typeof getProjectStatistics>
/** The address of the list of tickets that match a condition. */
export type ListOf = (condition: string) => string
interface ChartProps {
  buckets: readonly Bucket[]
  listOf: ListOf
}

const events = [
  { name: 'Created', key: 'created', color: 'var(--chart)', condition: createdIn },
  { name: 'Closed', key: 'closed', color: 'var(--phase-active)', condition: closedIn },
] as const

/** Created and closed tickets, side by side. */
export function CreatedAndClosed({ buckets, listOf }: ChartProps) {
  const sum = (key: 'created' | 'closed') => buckets.reduce((total, bucket) => total + bucket[key], 0)
  return (
    <ChartCard
      title="Created and closed"
      legend={events}
      summary={`${counted(sum('created'), 'ticket')} created, ${counted(sum('closed'), 'ticket')} closed.`}
      table={{
        of: 'Days',
        columns: events.map(({ name }) => name),
        rows: buckets.map(bucket => ({
          name: rangeName(bucket.from, bucket.to),
          points: events.map(({ key, condition }) => ({ value: bucket[key], path: listOf(condition(bucket)) })),
        })),
      }}
    >
      <Picture
        most={Math.max(0, ...buckets.flatMap(({ created, closed }) => [created, closed]))}
        names={buckets.map(({ from }) => formatDay(from))}
      >
        {({ x, y, width }) =>
          buckets.map((bucket, index) =>
            events.map(({ name, key, color, condition }, place) =>
              bucket[key] === 0 ? null : (
                <Spot
                  key={bucket.from + key}
                  name={`${rangeName(bucket.from, bucket.to)}: ${bucket[key]} ${name.toLowerCase()}`}
                  path={listOf(condition(bucket))}
                  x={x(index) + width * (0.1 + 0.4 * place)}
                  y={y(bucket[key])}
                  width={width * 0.36}
                  height={y(0) - y(bucket[key])}
                  fill={color}
                />
              ),
            ),
          )
        }
      </Picture>
    </ChartCard>
  )
}

/** From the bottom up. */
const phases = [
  { name: 'Inactive', key: 'inactive', color: 'var(--phase-inactive)' },
  { name: 'Active', key: 'active', color: 'var(--phase-active)' },
  { name: 'Proposed', key: 'proposed', color: 'var(--phase-proposed)' },
] as const

/** How many tickets were in each phase, stacked. */
export function CumulativeFlow({ buckets, listOf }: ChartProps) {
  const total = ({ proposed, active, inactive }: Bucket) => proposed + active + inactive
  const floor = (bucket: Bucket, place: number) => phases.slice(0, place).reduce((sum, { key }) => sum + bucket[key], 0)
  const last = buckets.at(-1)
  return (
    <ChartCard
      title="Cumulative flow"
      legend={[...phases].reverse()}
      summary={
        last
          ? `At the end: ${formatNumber(last.proposed)} proposed, ${formatNumber(last.active)} active, ${formatNumber(last.inactive)} inactive.`
          : ''
      }
      table={{
        of: 'At the end of',
        columns: phases.map(({ name }) => name).reverse(),
        rows: buckets.map(bucket => ({
          name: formatDay(bucket.to),
          points: phases.map(({ key }) => ({ value: bucket[key], path: listOf(inPhase(key, bucket.to)) })).reverse(),
        })),
      }}
    >
      <Picture most={Math.max(0, ...buckets.map(total))} names={buckets.map(({ to }) => formatDay(to))}>
        {({ x, y, width }) => (
          <>
            {phases.map(({ key, color }, place) => {
              // Steps: a day has one value, and one bucket alone has a width.
              const upper = buckets.flatMap((bucket, index) => [x(index), x(index + 1)].map(at => `${at},${y(floor(bucket, place + 1))}`))
              const lower = buckets.flatMap((bucket, index) => [x(index), x(index + 1)].map(at => `${at},${y(floor(bucket, place))}`))
              return <polygon key={key} points={[...upper, ...lower.reverse()].join(' ')} fill={color} className={styles.area} />
            })}
            {buckets.map((bucket, index) =>
              phases.map(({ name, key }, place) =>
                bucket[key] === 0 ? null : (
                  <Spot
                    key={bucket.to + key}
                    name={`${formatDay(bucket.to)}: ${bucket[key]} ${name.toLowerCase()}`}
                    path={listOf(inPhase(key, bucket.to))}
                    x={x(index)}
                    y={y(floor(bucket, place + 1))}
                    width={width}
                    height={y(floor(bucket, place)) - y(floor(bucket, place + 1))}
                  />
                ),
              ),
            )}
          </>
        )}
      </Picture>
    </ChartCard>
  )
}

/** A time in words, with one decimal below ten days. */
export function days(value: number | null) {
  if (value === null) return '–'
  const shown = value < 10 ? Math.round(value * 10) / 10 : Math.round(value)
  return `${formatNumber(shown)} ${shown === 1 ? 'day' : 'days'}`
}

function ageName(after: number | undefined, upTo: number | null) {
  if (upTo === null) return `over ${after} days`
  return after === undefined ? `up to ${upTo} day` : `${after} – ${upTo} days`
}

/** The age of open tickets. */
export function AgeOfOpenWork({ open, listOf }: { open: Statistics['Open']; listOf: ListOf }) {
  const ages = open.Ages.map(({ UpToDays, Tickets }, index) => {
    const after = open.Ages[index - 1]?.UpToDays ?? undefined
    return {
      name: ageName(after, UpToDays),
      value: Tickets,
      path: listOf(openOfAge(after, UpToDays)),
    }
  })
  return (
    <ChartCard
      title="Age of open work"
      summary={`${counted(open.Tickets, 'open ticket')}; half of them at most ${days(open.Age.Median)} old, 85% at most ${days(open.Age.P85)}.`}
      table={{ of: 'Age', columns: ['Open tickets'], rows: ages.map(({ name, ...point }) => ({ name, points: [point] })) }}
    >
      <Picture most={Math.max(0, ...ages.map(({ value }) => value))} names={ages.map(({ name }) => name)}>
        {({ x, y, width }) =>
          ages.map(({ name, value, path }, index) =>
            value === 0 ? null : (
              <Spot
                key={name}
                name={`${name}: ${counted(value, 'ticket')}`}
                path={path}
                x={x(index)}
                y={y(value)}
                width={width * 0.8}
                height={y(0) - y(value)}
                fill="var(--chart)"
              />
            ),
          )
        }
      </Picture>
    </ChartCard>
  )
}
