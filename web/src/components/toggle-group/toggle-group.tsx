import { type ReactNode, useId } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './toggle-group.module.css'

interface ToggleGroupProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string
  value: Value
  options: readonly { value: Value; label: ReactNode; icon?: ReactNode }[]
  onChange: (value: Value) => void
  className?: string | undefined
}

/** One of few, side by side: radio buttons that look like one control. */
export function ToggleGroup<Value extends string>({ label, value, options, onChange, className }: ToggleGroupProps<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classNames(styles.group, className)}>
      {options.map(option => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  )
}
