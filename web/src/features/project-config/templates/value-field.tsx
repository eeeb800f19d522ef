import type { Response } from '@tessera/contract/call'
import { type getTicketFieldList, propertyTypes } from '@tessera/contract/projects/project-config'
import { useId } from 'react'
import { LabelledCheckBox } from '../../../components/check-box/check-box.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextArea, TextField } from '../../../components/text-field/text-field.tsx'
import { problemOfValue } from '../../tickets/ticket/fields/field-value.ts'
import { MultiSelectField, PersonField } from '../../tickets/ticket/fields/searched-fields.tsx'

interface ValueFieldProps {
  field: Response<typeof getTicketFieldList>[number]
  /** Who may be named in a field for people. */
  people: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

/** Enters a field's value where there is no ticket. */
export function ValueField({ field, people, value, onChange }: ValueFieldProps) {
  const id = useId()
  const renderer = propertyTypes.find(type => type.id === field.FieldType)?.Description
  const problem = problemOfValue(renderer ?? '', value)
  const shared = { label: field.Label, error: problem !== undefined, helperText: problem }
  const text = { ...shared, value, placeholder: '–', onChange: (event: { target: { value: string } }) => onChange(event.target.value) }
  const searched = { ...shared, id, value, onChange, readOnly: false }
  switch (renderer) {
    case 'TEXTMULTILINE':
      return <TextArea {...text} minRows={3} maxRows={12} />
    case 'SELECT':
      return <Select {...shared} value={value} onChange={onChange} options={[{ value: '', label: 'None' }, ...field.FieldProps]} />
    case 'CHECKBOX':
      return <LabelledCheckBox label={field.Label} checked={value === '1'} onChange={({ target }) => onChange(target.checked ? '1' : '')} />
    case 'MULTISELECT':
      return <MultiSelectField {...searched} options={field.FieldProps} />
    case 'USER':
      return <PersonField {...searched} options={people} />
    case 'DATE':
      return <TextField {...text} type="date" max="9999-12-31" />
    default:
      return <TextField {...text} />
  }
}
