import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './check-box.module.css'

interface CheckBoxProps {
  label: string
  checked: boolean
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A check box for table cells, with a larger hit area; its label is for screen readers only. */
export function CheckBox({ label, checked, indeterminate = false, disabled = false, onChange }: CheckBoxProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a row that opens at a click must not open at this one
    <label className={styles.target} onClick={event => event.stopPropagation()}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        ref={element => {
          if (element) element.indeterminate = indeterminate
        }}
        className={styles.box}
        onChange={event => onChange(event.target.checked)}
      />
    </label>
  )
}

/** A check box with its label beside it. All other props are the input's: `{...register('name')}` fits. */
export function LabeledCheckBox({ label, className, ...input }: { label: ReactNode } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className={classNames(styles.labeled, className)}>
      <input type="checkbox" className={styles.box} {...input} />
      <span className={styles.words}>{label}</span>
    </label>
  )
}
