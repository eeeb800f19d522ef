import { messages } from '@tessera/contract/messages'
import type { TicketField } from '@tessera/contract/tickets/tickets'
import { Autocomplete, MultiAutocomplete } from '../../../../components/autocomplete/autocomplete.tsx'
import type { CommonProps } from '../../../../components/autocomplete/combobox.tsx'
import type { Choice } from '../../../../components/autocomplete/use-choice-list.ts'
import type { FieldProps } from '../../../../components/field/field.tsx'
import { selection } from './field-value.ts'

interface SearchedFieldProps extends FieldProps, Pick<CommonProps<Choice>, 'loading' | 'emptyText' | 'onOpen'> {
  id: string
  options: TicketField['FieldProps']
  value: string
  onChange: (value: string) => void
  readOnly: boolean
}

/** A member of the project; a former member is shown by id. */
export function PersonField({ options, value, onChange, ...field }: SearchedFieldProps) {
  const people = options.map(option => ({ id: option.value, text: option.label }))
  const former = { id: value, text: /^\d+$/.test(value) ? `Former member ${value}` : value }
  return (
    <Autocomplete
      emptyText={messages.noItems}
      {...field}
      options={people}
      value={value ? (people.find(({ id }) => id === value) ?? former) : null}
      onChange={chosen => onChange(chosen?.id ?? '')}
      placeholder="Nobody"
    />
  )
}

/** From this many options on, one of them is searched by typing. */
export const searchedFrom = 50

/** One of many options; a deleted one is still shown. */
export function OptionField({ options, value, onChange, ...field }: SearchedFieldProps) {
  const choices = options.map(option => ({ id: option.value, text: option.label }))
  return (
    <Autocomplete
      {...field}
      options={choices}
      value={value ? (choices.find(({ id }) => id === value) ?? { id: value, text: value }) : null}
      onChange={chosen => onChange(chosen?.id ?? '')}
      placeholder="None"
      emptyText={messages.noItems}
    />
  )
}

/** Several of the options; deleted ones are still shown. */
export function OptionsField({ options, value, onChange, ...field }: SearchedFieldProps) {
  const choices = options.map(option => ({ id: option.value, text: option.label }))
  return (
    <MultiAutocomplete
      {...field}
      options={choices}
      value={selection(value).map(id => choices.find(choice => choice.id === id) ?? { id, text: id })}
      onChange={chosen => onChange(chosen.length > 0 ? JSON.stringify(chosen.map(({ id }) => id)) : '')}
      placeholder="–"
      emptyText={messages.noItems}
    />
  )
}
