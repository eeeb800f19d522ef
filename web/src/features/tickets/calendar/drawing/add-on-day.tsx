import type { KeyboardEvent } from 'react'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { AddIcon } from '../../../../components/icons/icons.tsx'
import { hasModifier } from '../../../../lib/input/keys/has-modifier.ts'
import { dateName } from '../../dates/days/day-names.ts'
import { daysOfArrow } from '../calendar-days.ts'
import styles from './add-on-day.module.css'

interface AddOnDayProps {
  day: string
  /** Tab stops at one of the days; arrow keys go from there to the others. */
  isTabStop: boolean
  onAdd: (day: string) => void
}

/** The button that adds a ticket with this date. */
export function AddOnDay({ day, isTabStop, onAdd }: AddOnDayProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = daysOfArrow[event.key]
    if (step === undefined || hasModifier(event)) return
    // A phone has a list of days, without a table.
    const all = [...(event.currentTarget.closest('table')?.querySelectorAll<HTMLElement>('[data-add]') ?? [])]
    const next = all[all.indexOf(event.currentTarget) + step]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }
  return (
    <IconButton
      small
      data-add={day}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Add ticket on ${dateName(day)}`}
      title={`Add ticket on ${dateName(day)}`}
      className={styles.add}
      onClick={() => onAdd(day)}
      onKeyDown={onKeyDown}
    >
      <AddIcon fontSize="small" />
    </IconButton>
  )
}
