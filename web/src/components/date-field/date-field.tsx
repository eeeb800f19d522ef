import { isDay } from '@tessera/contract/projects/field-values'
import { type ChangeEvent, type ComponentProps, type FocusEvent, useLayoutEffect, useRef } from 'react'
import { TextField } from '../text-field/text-field.tsx'

/** Stands for a date that is not complete or does not exist: the browser shows it, but does not say what was typed. */
const unfinished = 'incomplete'

interface DateFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'onBlur' | 'type' | 'max'> {
  value: string
  onChange: (value: string) => void
}

const read = (input: HTMLInputElement) => (input.validity.badInput ? unfinished : input.value)

/** Enters a date. Without `unfinished`, the 30th of February would be saved as no date. */
export function DateField({ value, onChange, ...field }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // React's `value` would set the attribute too, at each change: Firefox then clears the rest of a date of which one part is being changed.
  useLayoutEffect(() => {
    if (input.current && value !== unfinished && value !== read(input.current)) input.current.value = isDay(value) ? value : ''
  }, [value])
  const take = ({ target }: ChangeEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>) => onChange(read(target))
  return (
    <TextField
      {...field}
      ref={input}
      type="date"
      max="9999-12-31"
      onChange={take}
      // A first date changes nothing for the browser until it is valid.
      onBlur={event => {
        if (event.target.validity.badInput || value === unfinished) take(event)
      }}
    />
  )
}
