import { Combobox } from '@base-ui/react/combobox'
import { messages } from '@tessera/contract/messages'
import { type ReactNode, type Ref, useId, useRef } from 'react'
import { FieldFrame, type FieldProps, fieldState } from '../field/field.tsx'
import { ChevronDownIcon, CloseIcon } from '../icons.tsx'
import styles from './autocomplete.module.css'

export interface Choice {
  id: string | number
  text: string
}

interface CommonProps<Option extends Choice> extends FieldProps {
  options: readonly Option[]
  placeholder?: string | undefined
  /** What the list says while nothing in it matches. */
  emptyText?: string | undefined
  /** The options are still on their way. */
  loading?: boolean | undefined
  /** What stands in the list instead of the option's text. */
  renderOption?: ((option: Option) => ReactNode) | undefined
  /** The options are what the server found for the text: they are shown as they come. */
  text?: string | undefined
  onTextChange?: ((text: string) => void) | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  id?: string | undefined
  'aria-label'?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

interface AutocompleteProps<Option extends Choice> extends CommonProps<Option> {
  value: Option | null
  onChange: (value: Option | null) => void
}

/** One of many, found by typing. */
export function Autocomplete<Option extends Choice>({ value, onChange, ...props }: AutocompleteProps<Option>) {
  return (
    <Combobox.Root<Option> value={value} onValueChange={onChange} {...rootProps(props)}>
      <Field {...props} hasValue={value !== null} />
    </Combobox.Root>
  )
}

interface MultiAutocompleteProps<Option extends Choice> extends CommonProps<Option> {
  value: readonly Option[]
  onChange: (value: Option[]) => void
}

/** Several of many, found by typing; each stands in the field and can be taken out there. */
export function MultiAutocomplete<Option extends Choice>({ value, onChange, ...props }: MultiAutocompleteProps<Option>) {
  return (
    <Combobox.Root<Option, true> multiple value={value} onValueChange={onChange} {...rootProps(props)}>
      <Field {...props} hasValue={value.length > 0} chosen={value} />
    </Combobox.Root>
  )
}

function rootProps<Option extends Choice>({ options, text, onTextChange, disabled, readOnly }: CommonProps<Option>) {
  return {
    items: options,
    itemToStringLabel: (option: Option) => option.text,
    isItemEqualToValue: (option: Option, other: Option) => option.id === other.id,
    autoHighlight: true,
    disabled,
    readOnly,
    ...(onTextChange && { inputValue: text, onInputValueChange: onTextChange, filter: null }),
  }
}

interface InnerProps<Option extends Choice> extends CommonProps<Option> {
  hasValue: boolean
  chosen?: readonly Option[]
}

function Field<Option extends Choice>({ hasValue, chosen, ...props }: InnerProps<Option>) {
  const { label, helperText, error = false, className, placeholder, loading = false, renderOption, disabled, readOnly } = props
  const { emptyText = messages.noItems } = props
  const ownId = useId()
  const id = props.id ?? ownId
  const box = useRef<HTMLDivElement>(null)
  const input = (
    <Combobox.Input
      ref={props.ref}
      id={id}
      aria-label={props['aria-label']}
      placeholder={chosen?.length ? undefined : placeholder}
      className={styles.input}
      {...fieldState(id, { helperText, error })}
    />
  )
  return (
    <FieldFrame id={id} label={label} helperText={helperText} error={error} className={className}>
      <div ref={box} className={styles.values}>
        {chosen ? (
          <Combobox.Chips render={<div style={{ display: 'contents' }} />}>
            {chosen.map(option => (
              <Combobox.Chip key={option.id} className={styles.chip}>
                <span className={styles.words}>{option.text}</span>
                {!disabled && !readOnly && (
                  <Combobox.ChipRemove className={styles.tool} aria-label={`Remove ${option.text}`}>
                    <CloseIcon fontSize="small" />
                  </Combobox.ChipRemove>
                )}
              </Combobox.Chip>
            ))}
            {input}
          </Combobox.Chips>
        ) : (
          input
        )}
      </div>
      {!readOnly && hasValue && !disabled && (
        <Combobox.Clear className={styles.tool} aria-label="Clear">
          <CloseIcon fontSize="small" />
        </Combobox.Clear>
      )}
      {!readOnly && (
        <Combobox.Trigger className={styles.tool} aria-label="Open">
          <ChevronDownIcon fontSize="small" />
        </Combobox.Trigger>
      )}
      <Combobox.Portal>
        <Combobox.Positioner anchor={() => box.current?.parentElement ?? null} sideOffset={4} className={styles.positioner} data-popup="">
          <Combobox.Popup className={styles.popup}>
            <Combobox.Empty className={styles.none}>{loading ? 'Loading…' : emptyText}</Combobox.Empty>
            <Combobox.List className={styles.list}>
              {(option: Option) => (
                <Combobox.Item key={option.id} value={option} className={styles.entry}>
                  {renderOption ? renderOption(option) : option.text}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </FieldFrame>
  )
}
