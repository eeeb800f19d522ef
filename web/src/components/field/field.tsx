import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './field.module.css'

export interface FieldProps {
  /** Shown above the field; without it the field needs `aria-label`. */
  label?: ReactNode
  /** At the end of the label's line. */
  labelEnd?: ReactNode
  /** Shown under the field. */
  helperText?: ReactNode
  /** What is wrong with the value, shown instead of the help; `true` if that is said elsewhere. */
  problem?: string | boolean | undefined
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
export function FieldFrame({ id, label, labelEnd, helperText, problem, className, onLabelClick, children }: FrameProps) {
  const help = helpOf({ helperText, problem })
  const name = label && (
    // biome-ignore lint/a11y/noLabelWithoutControl: it points at the control by its id, or the control at it
    <label id={`${id}-label`} className={styles.label} {...(onLabelClick ? { onClick: onLabelClick } : { htmlFor: id })}>
      {label}
    </label>
  )
  return (
    <div className={classNames(styles.field, problem && styles.wrong, className)}>
      {labelEnd ? (
        <div className={styles.head}>
          {name}
          {labelEnd}
        </div>
      ) : (
        name
      )}
      <div className={styles.box}>{children}</div>
      {help && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

function helpOf({ helperText, problem }: Pick<FieldProps, 'helperText' | 'problem'>) {
  return typeof problem === 'string' && problem !== '' ? problem : helperText
}

/** The ARIA attributes of the control for its help and its problem. */
export function fieldState(id: string, state: Pick<FieldProps, 'helperText' | 'problem'>) {
  return { 'aria-invalid': Boolean(state.problem) || undefined, 'aria-describedby': helpOf(state) ? `${id}-help` : undefined }
}
