import type { CSSProperties } from 'react'
import { CloseIcon } from '../icons/icons.tsx'
import styles from './autocomplete.module.css'
import { Combobox, type CommonProps, Tool } from './combobox.tsx'
import type { Choice } from './use-choice-list.ts'

interface AutocompleteProps<Option extends Choice> extends CommonProps<Option> {
  value: Option | null
  onChange: (value: Option | null) => void
}

/** Selects one of many options, filtered by typing. */
export function Autocomplete<Option extends Choice>({ value, onChange, ...props }: AutocompleteProps<Option>) {
  return (
    <Combobox
      {...props}
      chosen={value ? [value] : []}
      rest={value?.text ?? ''}
      onChoose={option => onChange(option)}
      onClear={() => onChange(null)}
    />
  )
}

interface MultiAutocompleteProps<Option extends Choice> extends CommonProps<Option> {
  value: readonly Option[]
  onChange: (value: Option[]) => void
  /** The colors of an option that is selected. */
  chipStyle?: (option: Option) => CSSProperties
}

/** Selects several of many options, filtered by typing; selected ones are shown in the field and can be removed there. */
export function MultiAutocomplete<Option extends Choice>({ value, onChange, chipStyle, ...props }: MultiAutocompleteProps<Option>) {
  const without = (option: Option) => value.filter(({ id }) => id !== option.id)
  const isFixed = props.disabled || props.readOnly
  return (
    <Combobox
      {...props}
      isMultiple
      chosen={value}
      rest=""
      onChoose={option => onChange(value.some(({ id }) => id === option.id) ? without(option) : [...value, option])}
      onClear={() => onChange([])}
      onBackspace={() => onChange(value.slice(0, -1))}
    >
      {value.map(option => (
        <span key={option.id} className={styles.chip} style={chipStyle?.(option)}>
          <span className={styles.words}>{option.text}</span>
          {!isFixed && (
            <Tool label={`Remove ${option.text}`} onClick={() => onChange(without(option))}>
              <CloseIcon fontSize="small" />
            </Tool>
          )}
        </span>
      ))}
    </Combobox>
  )
}
