import type { ReactNode } from 'react'
import styles from './switch.module.css'

interface SwitchProps {
  label: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** Turns something on or off at once; in a form that is saved, use a check box. */
export function Switch({ label, checked, disabled = false, onChange }: SwitchProps) {
  return (
    <label className={styles.label}>
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={event => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}
