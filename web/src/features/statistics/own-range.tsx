import { limits } from '@tessera/contract/limits'
import { useId, useState } from 'react'
import { DateField } from '../../components/date-field/date-field.tsx'
import styles from './charts.module.css'
import { problemOfRange, type Range } from './range.ts'

const words = { incomplete: 'Enter two dates', order: 'From is after To', length: `At most ${limits.statisticDays} days` }

/** The first and the last day of the charts. Typed dates become the range as soon as they are valid. */
export function OwnRange({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const id = useId()
  const [typed, type] = useState<Partial<Range>>({})
  const shown = { ...range, ...typed }
  const problem = problemOfRange(shown)
  const set = (part: Partial<Range>) => {
    const next = { ...shown, ...part }
    const isRange = problemOfRange(next) === undefined
    type(isRange ? {} : next)
    if (isRange) onChange(next)
  }
  const field = {
    className: styles.date,
    problem: problem !== undefined,
    'aria-describedby': problem && id,
  } as const
  return (
    <>
      <DateField {...field} aria-label="From" value={shown.from} onChange={from => set({ from })} />
      <DateField {...field} aria-label="To" value={shown.to} onChange={to => set({ to })} />
      {problem && (
        <span id={id} role="status" className={styles.problem}>
          {words[problem]}
        </span>
      )}
    </>
  )
}
