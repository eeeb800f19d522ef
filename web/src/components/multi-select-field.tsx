import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { messages } from '@tessera/contract/messages'

interface MultiSelectFieldProps {
  label: string
  options: readonly { id: number; text: string }[]
  value: readonly number[]
  onChange: (value: number[]) => void
  helperText?: string
  disabled?: boolean
  loading?: boolean
}

/** Several of many, found by typing; ids that are no option (any more) are kept untouched. */
export function MultiSelectField({
  label,
  options,
  value,
  onChange,
  helperText,
  disabled = false,
  loading = false,
}: MultiSelectFieldProps) {
  const hidden = value.filter(id => !options.some(option => option.id === id))
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      filterSelectedOptions={false}
      size="small"
      options={options}
      loading={loading}
      disabled={disabled}
      value={options.filter(({ id }) => value.includes(id))}
      getOptionLabel={({ text }) => text}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(option, chosen) => option.id === chosen.id}
      noOptionsText={messages.noItems}
      onChange={(_event, chosen) => onChange([...chosen.map(({ id }) => id), ...hidden])}
      renderInput={params => <TextField {...params} label={label} helperText={helperText} />}
    />
  )
}
