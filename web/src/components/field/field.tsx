import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './field.module.css'

export interface FieldProps {
  /** Shown above the field; without it the field needs `aria-label`. */
  label?: ReactNode
  /** At the end of the label's line. */
  labelEnd?: ReactNode
  /** Shown under the field: help or the error. */
  helperText?: ReactNode
  error?: boolean
  /** Class of the whole field, including the label. */
  className?: string | undefined
}

interface FrameProps extends FieldProps {
  /** Id of the control; label and help use it with the suffixes `-label` and `-help`. */
  id: string
  /** The control is not an element that a `label` can refer to. */
  onLabelClick?: () => void
  children: ReactNode
}

/** The label above a field, the box around the control, and the help under it. */
export function FieldFrame({ id, label, labelEnd, helperText, error = false, className, onLabelClick, children }: FrameProps) {
  const name = label && (
    // biome-ignore lint/a11y/noLabelWithoutControl: it points at the control by its id, or the control at it
    <label id={`${id}-label`} className={styles.label} {...(onLabelClick ? { onClick: onLabelClick } : { htmlFor: id })}>
      {label}
    </label>
  )
  return (
    <div className={classNames(styles.field, error && styles.wrong, className)}>
      {labelEnd ? (
        <div className={styles.head}>
          {name}
          {labelEnd}
        </div>
      ) : (
        name
      )}
      <div className={styles.box}>{children}</div>
      {helperText && (
        <p id={`${id}-help`} className={styles.help}>
          {helperText}
        </p>
      )}
    </div>
  )
}

/** The ARIA attributes of the control for its help and its error. */
export function fieldState(id: string, { helperText, error = false }: Pick<FieldProps, 'helperText' | 'error'>) {
  return { 'aria-invalid': error || undefined, 'aria-describedby': helperText ? `${id}-help` : undefined }
}
