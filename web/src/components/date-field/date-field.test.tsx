import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { DateField } from './date-field.tsx'

afterEach(cleanup)

function Due() {
  const [value, setValue] = useState('2026-01-31')
  return (
    <>
      <DateField label="Due" value={value} onChange={setValue} />
      <output>{value}</output>
      <button type="button" onClick={() => setValue('2026-01-31')}>
        DISCARD
      </button>
    </>
  )
}

test('a date of which one part is being changed keeps the others', () => {
  show(<Due />)
  const field = screen.getByLabelText<HTMLInputElement>('Due')
  const shown = () => screen.getByRole('status').textContent
  const change = (value: string, badInput: boolean) => {
    Object.defineProperty(field, 'validity', { value: { badInput }, configurable: true })
    fireEvent.change(field, { target: { value } })
  }
  expect(field.value).toBe('2026-01-31')
  change('', true)
  expect(shown()).toBe('incomplete')
  // Firefox clears all parts when this attribute is set.
  expect(field.getAttribute('value')).toBeNull()
  change('2026-02-03', false)
  expect(shown()).toBe('2026-02-03')
  fireEvent.click(screen.getByRole('button', { name: 'DISCARD' }))
  expect([field.value, shown()]).toEqual(['2026-01-31', '2026-01-31'])
})
