import { rendererOf } from '@tessera/contract/projects/project-config'
import type { TicketField } from '@tessera/contract/tickets/tickets'
import { useId } from 'react'
import { LabeledCheckBox } from '../../../../components/check-box/check-box.tsx'
import { DateField } from '../../../../components/date-field/date-field.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { TextArea, TextField } from '../../../../components/text-field/text-field.tsx'
import { problemOfValue } from './field-value.ts'
import { OptionField, OptionsField, PersonField, searchedFrom } from './searched-fields.tsx'

interface ValueFieldProps {
  field: { Label: string; FieldType: number; FieldProps: TicketField['FieldProps'] }
  /** Who may be named in a field for people. */
  people: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  /** The value replaces those of many tickets: says that nothing is a value too. */
  isForMany?: boolean
}

/** Enters a field's value where there is no ticket. */
export function ValueField({ field, people, value, onChange, isForMany = false }: ValueFieldProps) {
  const id = useId()
  const renderer = rendererOf(field.FieldType)
  const problem = problemOfValue(renderer ?? '', value)
  const shared = { label: field.Label, problem }
  const text = {
    ...shared,
    value,
    placeholder: isForMany ? 'Empty' : '–',
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  const searched = { ...shared, id, value, onChange, readOnly: false }
  const choice = (options: TicketField['FieldProps']) => <Select {...shared} value={value} onChange={onChange} options={options} />
  switch (renderer) {
    case 'TEXTMULTILINE':
      return <TextArea {...text} minRows={3} maxRows={12} />
    case 'NUMBER':
      return <TextField {...text} inputMode="decimal" />
    case 'DATE':
      return <DateField {...text} onChange={onChange} />
    case 'SELECT':
      if (field.FieldProps.length >= searchedFrom) return <OptionField {...searched} options={field.FieldProps} />
      return choice([{ value: '', label: 'None' }, ...field.FieldProps])
    case 'CHECKBOX':
      if (isForMany)
        return choice([
          { value: '1', label: 'Yes' },
          { value: '', label: 'No' },
        ])
      return <LabeledCheckBox label={field.Label} checked={value === '1'} onChange={({ target }) => onChange(target.checked ? '1' : '')} />
    case 'MULTISELECT':
      return <OptionsField {...searched} options={field.FieldProps} />
    case 'USER':
      return <PersonField {...searched} options={people} />
    default:
      return <TextField {...text} />
  }
}
