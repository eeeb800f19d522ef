import { MultiAutocomplete } from './autocomplete.tsx'

interface MultiSelectFieldProps {
  label: string
  options: readonly { id: number; text: string }[]
  value: readonly number[]
  onChange: (value: number[]) => void
  helperText?: string
  placeholder?: string
  disabled?: boolean
  loading?: boolean
}

/** Selects several of many options, filtered by typing; ids without an option are kept. */
export function MultiSelectField({
  label,
  options,
  value,
  onChange,
  helperText,
  placeholder,
  disabled = false,
  loading = false,
}: MultiSelectFieldProps) {
  const hidden = value.filter(id => !options.some(option => option.id === id))
  return (
    <MultiAutocomplete
      label={label}
      helperText={helperText}
      placeholder={placeholder}
      options={options}
      loading={loading}
      disabled={disabled}
      value={options.filter(({ id }) => value.includes(id))}
      onChange={chosen => onChange([...chosen.map(({ id }) => id), ...hidden])}
    />
  )
}
