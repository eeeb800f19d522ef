import { limits } from '@tessera/contract/limits'
import { useState } from 'react'
import { TextField } from '../../components/text-field/text-field.tsx'
import { problemOfRange, type Range } from './range.ts'

/** The first and last day of the charts. While a date is being typed, the range stays as it is until both are a range. */
export function OwnRange({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const [typed, type] = useState<Partial<Range>>({})
  const shown = { ...range, ...typed }
  const problem = problemOfRange(shown)
  const set = (part: Partial<Range>) => {
    const next = { ...shown, ...part }
    const isRange = problemOfRange(next) === undefined
    type(isRange ? {} : next)
    if (isRange) onChange(next)
  }
  const field = { type: 'date', error: problem !== undefined, max: '9999-12-31' } as const
  return (
    <>
      <TextField {...field} aria-label="From" value={shown.from} onChange={event => set({ from: event.target.value })} />
      <TextField {...field} aria-label="To" value={shown.to} onChange={event => set({ to: event.target.value })} />
      {problem && (
        <span role="status">
          {{ incomplete: 'Enter two dates', order: 'From is after To', length: `At most ${limits.statisticDays} days` }[problem]}
        </span>
      )}
    </>
  )
}
