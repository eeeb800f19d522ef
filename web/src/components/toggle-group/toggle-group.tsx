import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './toggle-group.module.css'

interface ToggleGroupProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string
  value: Value
  options: readonly { value: Value; label: ReactNode; icon?: ReactNode }[]
  onChange: (value: Value) => void
  className?: string | undefined
}

/** A choice of one of a few options, side by side: the pressed button is the chosen one. */
export function ToggleGroup<Value extends string>({ label, value, options, onChange, className }: ToggleGroupProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no part of a form
    <div role="group" aria-label={label} className={classNames(styles.group, className)}>
      {options.map(option => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          className={styles.choice}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </div>
  )
}
