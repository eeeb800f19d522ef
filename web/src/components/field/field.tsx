import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './field.module.css'

export interface FieldProps {
  /** Stands above; a field without one needs `aria-label`. */
  label?: ReactNode
  /** Under it: help, or what is wrong. */
  helperText?: ReactNode
  error?: boolean
  /** Of the whole, label included. */
  className?: string | undefined
}

interface FrameProps extends FieldProps {
  /** Of the control; its label and help have it with `-label` and `-help` behind. */
  id: string
  /** The control is no element that a `label` can point at. */
  onLabelClick?: () => void
  children: ReactNode
}

/** The label above a field, the box around what is in it, and what stands under it. */
export function FieldFrame({ id, label, helperText, error = false, className, onLabelClick, children }: FrameProps) {
  return (
    <div className={classNames(styles.field, error && styles.wrong, className)}>
      {label && (
        // biome-ignore lint/a11y/noLabelWithoutControl: it points at the control by its id, or the control at it
        <label id={`${id}-label`} className={styles.label} {...(onLabelClick ? { onClick: onLabelClick } : { htmlFor: id })}>
          {label}
        </label>
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

/** What the control itself says of its help and its error. */
export function fieldState(id: string, { helperText, error = false }: FieldProps) {
  return { 'aria-invalid': error || undefined, 'aria-describedby': helperText ? `${id}-help` : undefined }
}
