import { propertyTypes } from '@tessera/contract/projects/project-config'
import type { TicketField } from '@tessera/contract/tickets/tickets'
import { Select } from '../../../../components/select/select.tsx'
import { TextArea, TextField } from '../../../../components/text-field/text-field.tsx'
import { problemOfValue } from '../../ticket/fields/field-value.ts'
import { MultiSelectField, PersonField } from '../../ticket/fields/searched-fields.tsx'

interface BulkFieldProps {
  field: { Label: string; FieldType: number; FieldProps: TicketField['FieldProps'] }
  people: readonly { id: number; text: string }[]
  value: string
  onChange: (value: string) => void
}

function rendererOf(fieldType: number) {
  return propertyTypes.find(({ id }) => id === fieldType)?.Description ?? ''
}

/** The value that a field of many tickets gets; an empty one clears the field. */
export function BulkField({ field, people, value, onChange }: BulkFieldProps) {
  const renderer = rendererOf(field.FieldType)
  const problem = problemOfValue(renderer, value)
  const common = { label: field.Label, error: problem !== undefined, helperText: problem }
  const text = { ...common, value, placeholder: 'Empty', onChange: (event: { target: { value: string } }) => onChange(event.target.value) }
  const searched = { ...common, id: `bulk-${field.Label}`, value, onChange, readOnly: false }
  switch (renderer) {
    case 'TEXTMULTILINE':
      return <TextArea {...text} />
    case 'NUMBER':
      return <TextField {...text} inputMode="decimal" />
    case 'DATE':
      return <TextField {...text} type="date" max="9999-12-31" />
    case 'CHECKBOX':
      return (
        <Select
          {...common}
          value={value}
          onChange={onChange}
          options={[
            { value: '1', label: 'Yes' },
            { value: '', label: 'No' },
          ]}
        />
      )
    case 'SELECT':
      return <Select {...common} value={value} onChange={onChange} options={[{ value: '', label: 'None' }, ...field.FieldProps]} />
    case 'MULTISELECT':
      return <MultiSelectField {...searched} options={field.FieldProps} />
    case 'USER':
      return <PersonField {...searched} options={people.map(({ id, text: label }) => ({ value: String(id), label }))} />
    default:
      return <TextField {...text} />
  }
}
