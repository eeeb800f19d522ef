import { isDay } from '@tessera/contract/projects/field-values'
import type { ChangeEvent, ComponentProps, FocusEvent } from 'react'
import { TextField } from '../../../../components/text-field/text-field.tsx'

/** Stands for a date that is not complete or does not exist: the browser shows it, but does not say what was typed. */
const unfinished = 'incomplete'

interface DateFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'onBlur' | 'type' | 'max'> {
  value: string
  onChange: (value: string) => void
}

/** Enters a date. Without `unfinished`, the 30th of February would be saved as no date. */
export function DateField({ value, onChange, ...field }: DateFieldProps) {
  const take = ({ target }: ChangeEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>) =>
    onChange(target.validity.badInput ? unfinished : target.value)
  return (
    <TextField
      {...field}
      type="date"
      max="9999-12-31"
      value={isDay(value) ? value : ''}
      onChange={take}
      // A first date changes nothing for the browser until it is valid.
      onBlur={event => {
        if (event.target.validity.badInput || value === unfinished) take(event)
      }}
    />
  )
}
