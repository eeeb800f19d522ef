import { MultiAutocomplete } from './autocomplete.tsx'
import type { CommonProps } from './combobox.tsx'

interface MultiSelectFieldProps extends CommonProps<{ id: number; text: string }> {
  value: readonly number[]
  onChange: (value: number[]) => void
}

/** Selects several of many options, filtered by typing; ids without an option are kept. */
export function MultiSelectField({ options, value, onChange, ...field }: MultiSelectFieldProps) {
  const hidden = value.filter(id => !options.some(option => option.id === id))
  return (
    <MultiAutocomplete
      {...field}
      options={options}
      value={options.filter(({ id }) => value.includes(id))}
      onChange={chosen => onChange([...chosen.map(({ id }) => id), ...hidden])}
    />
  )
}
