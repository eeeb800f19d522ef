import { type ComponentProps, type CSSProperties, type Ref, useId } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { FieldFrame, type FieldProps, fieldState } from '../field/field.tsx'
import styles from './text-field.module.css'

interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'className' | 'ref'> {
  ref?: Ref<HTMLInputElement> | undefined
}

/** One line of text with its label and error. All other props are the input's. */
export function TextField({ label, helperText, problem, className, id, ...input }: TextFieldProps) {
  const ownId = useId()
  const key = id ?? ownId
  return (
    <FieldFrame id={key} label={label} helperText={helperText} problem={problem} className={className}>
      <input id={key} className={styles.input} {...fieldState(key, { helperText, problem })} {...input} />
    </FieldFrame>
  )
}

interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'className' | 'ref' | 'rows'> {
  ref?: Ref<HTMLTextAreaElement> | undefined
  minRows?: number
  maxRows?: number
}

/** Several lines, as high as the text, within the two limits. */
export function TextArea({ label, labelEnd, helperText, problem, className, id, minRows = 3, maxRows = 24, ...area }: TextAreaProps) {
  const ownId = useId()
  const key = id ?? ownId
  const limits = { '--rows-at-least': minRows, '--rows-at-most': maxRows } as CSSProperties
  return (
    <FieldFrame id={key} label={label} labelEnd={labelEnd} helperText={helperText} problem={problem} className={className}>
      <span className={styles.grows} style={limits} data-text={area.value}>
        <textarea
          id={key}
          rows={minRows}
          className={classNames(styles.input, styles.area)}
          {...fieldState(key, { helperText, problem })}
          {...area}
        />
      </span>
    </FieldFrame>
  )
}
