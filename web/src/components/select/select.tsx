import { type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { FieldFrame, type FieldProps, fieldState } from '../field/field.tsx'
import { ChevronDownIcon } from '../icons/icons.tsx'
import menuStyles from '../menu/menu.module.css'
import { Panel } from '../menu/panel.tsx'
import styles from './select.module.css'

interface SelectOption<Value extends string | number> {
  value: Value
  label: ReactNode
  /** Before the label. */
  icon?: ReactNode
  isDisabled?: boolean
}

interface SelectProps<Value extends string | number> extends FieldProps {
  value: Value
  options: readonly SelectOption<Value>[]
  onChange: (value: Value) => void
  /** The text shown while the value matches no option. */
  placeholder?: string
  /** The one entry of an empty list. */
  emptyText?: string
  disabled?: boolean
  readOnly?: boolean
  'aria-label'?: string
  id?: string
  ref?: Ref<HTMLButtonElement> | undefined
  onBlur?: () => void
}

/** Selects one option from a list that opens under it, at most 256 px high. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { label, helperText, problem, className, value, options, onChange, placeholder = '', emptyText, readOnly = false } = props
  const { disabled = false, 'aria-label': ariaLabel, onBlur } = props
  const ownId = useId()
  const id = props.id ?? ownId
  const button = useRef<HTMLButtonElement>(null)
  useImperativeHandle(props.ref, () => button.current as HTMLButtonElement, [])
  const [isOpen, setOpen] = useState(false)
  const chosen = options.find(option => option.value === value)
  const open = () => setOpen(!readOnly)
  // An open list without entries says it itself.
  const unset = isOpen && options.length === 0 ? '' : placeholder
  const name = label ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': ariaLabel }
  return (
    <FieldFrame
      id={id}
      label={label}
      helperText={helperText}
      problem={problem}
      className={className}
      onLabelClick={() => button.current?.focus()}
    >
      <button
        ref={button}
        id={id}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-readonly={readOnly || undefined}
        {...name}
        {...fieldState(id, { helperText, problem })}
        disabled={disabled}
        className={styles.button}
        onClick={open}
        onBlur={() => !isOpen && onBlur?.()}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open()
        }}
      >
        {chosen?.icon}
        <span className={classNames(styles.value, !chosen && styles.unset)}>{chosen ? chosen.label : unset}</span>
        {!readOnly && (
          <span className={styles.arrow}>
            <ChevronDownIcon fontSize="small" />
          </span>
        )}
      </button>
      {isOpen && (
        <Panel
          role="listbox"
          id={`${id}-list`}
          label={label ? undefined : ariaLabel}
          labelledBy={label ? `${id}-label` : undefined}
          anchor={button}
          isWide
          onClose={() => setOpen(false)}
        >
          {options.length === 0 && emptyText && (
            <div role="option" tabIndex={-1} aria-selected={false} aria-disabled className={menuStyles.entry}>
              {emptyText}
            </div>
          )}
          {options.map(option => (
            <button
              key={option.value}
              type="button"
              role="option"
              aria-selected={option.value === value}
              aria-disabled={option.isDisabled || undefined}
              data-chosen={option.value === value || undefined}
              tabIndex={-1}
              className={menuStyles.entry}
              onClick={() => {
                if (option.isDisabled) return
                setOpen(false)
                if (option.value !== value) onChange(option.value)
              }}
            >
              {option.icon}
              <span className={menuStyles.words}>{option.label}</span>
            </button>
          ))}
        </Panel>
      )}
    </FieldFrame>
  )
}
