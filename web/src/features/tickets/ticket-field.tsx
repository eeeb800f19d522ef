import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel from '@mui/material/InputLabel'
import Link from '@mui/material/Link'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import type { TicketField as Field } from '@tessera/contract/tickets'
import { type ReactNode, useId } from 'react'
import { problemOfValue, safeAddress, selection } from './field-value.ts'

interface TicketFieldProps {
  field: Field
  value: string
  onChange: (value: string) => void
  readOnly: boolean
  /** What the server found wrong with it. */
  refusal?: string | undefined
}

/** As high as its text, of 3 to 24 lines: by the style sheet where the browser can, as measuring it lays out the page at once. */
const growsItself = CSS.supports('field-sizing: content')

/** The editor that fits a field's renderer. */
export function TicketField({ field, value, onChange, readOnly, refusal }: TicketFieldProps) {
  const { Label, Renderer, FieldProps } = field
  const id = useId()
  const problem = refusal ?? problemOfValue(Renderer, value)
  const text = {
    id,
    label: Label,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    error: problem !== undefined,
    helperText: problem,
    slotProps: { input: { readOnly }, htmlInput: { maxLength: limits.fieldValue } },
  }
  switch (Renderer) {
    case 'TEXTMULTILINE':
      return growsItself ? (
        <TextField
          {...text}
          multiline
          className="growing"
          slotProps={{ ...text.slotProps, input: { readOnly, inputComponent: 'textarea' } }}
        />
      ) : (
        <TextField {...text} multiline minRows={3} maxRows={24} />
      )
    case 'TEXT':
      return <TextField {...text} />
    case 'NUMBER':
      return <TextField {...text} slotProps={{ input: { readOnly }, htmlInput: { inputMode: 'decimal' } }} />
    case 'DATE':
      return <TextField {...text} type="date" slotProps={{ input: { readOnly }, htmlInput: { max: '9999-12-31' } }} />
    case 'URL':
      return (
        <Box>
          <TextField {...text} type="url" placeholder="https://" />
          {safeAddress(value) && (
            <Link
              href={safeAddress(value)}
              target="_blank"
              rel="noopener noreferrer nofollow"
              variant="body2"
              sx={{ display: 'inline-block', mt: 0.5, overflowWrap: 'anywhere' }}
            >
              {value}
            </Link>
          )}
        </Box>
      )
    case 'CHECKBOX':
      return (
        <Box sx={{ pt: { sm: 2.5 } }}>
          <FormControlLabel
            label={Label}
            control={<Checkbox checked={value === '1'} disabled={readOnly} onChange={event => onChange(event.target.checked ? '1' : '')} />}
          />
          {problem && <FormHelperText error>{problem}</FormHelperText>}
        </Box>
      )
    case 'SELECT':
      if (FieldProps.length === 0 && !value) return <Remark label={Label}>{messages.noItems}</Remark>
      return (
        <TextField {...text} select slotProps={{ input: { readOnly }, select: { displayEmpty: true } }}>
          <MenuItem value="">
            <Box component="span" sx={{ color: 'text.secondary' }}>
              None
            </Box>
          </MenuItem>
          {/* A value whose option is gone still stands there. */}
          {value && !FieldProps.some(option => option.value === value) && <MenuItem value={value}>{value}</MenuItem>}
          {FieldProps.map(option => (
            <MenuItem key={option.value} value={option.value}>
              {option.label}
            </MenuItem>
          ))}
        </TextField>
      )
    case 'USER':
      return (
        <Autocomplete
          id={id}
          options={FieldProps.map(option => option.value)}
          getOptionLabel={option =>
            FieldProps.find(({ value }) => value === option)?.label ?? (/^\d+$/.test(option) ? `Former member ${option}` : option)
          }
          value={value || null}
          onChange={(_event, chosen) => onChange(chosen ?? '')}
          readOnly={readOnly}
          noOptionsText={messages.noItems}
          renderInput={params => (
            <TextField {...params} label={Label} placeholder="Nobody" error={problem !== undefined} helperText={problem} />
          )}
        />
      )
    case 'MULTISELECT':
      return (
        <Autocomplete
          id={id}
          multiple
          disableCloseOnSelect
          options={FieldProps.map(option => option.value)}
          getOptionLabel={option => FieldProps.find(({ value }) => value === option)?.label ?? option}
          value={selection(value)}
          onChange={(_event, chosen) => onChange(chosen.length > 0 ? JSON.stringify(chosen) : '')}
          readOnly={readOnly}
          noOptionsText={messages.noItems}
          renderInput={params => <TextField {...params} label={Label} error={problem !== undefined} helperText={problem} />}
        />
      )
    default:
      return <Remark label={Label}>{messages.unknownInput}</Remark>
  }
}

function Remark({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box>
      <InputLabel component="div">{label}</InputLabel>
      <Box sx={{ py: 0.75, color: 'text.secondary' }}>{children}</Box>
    </Box>
  )
}
