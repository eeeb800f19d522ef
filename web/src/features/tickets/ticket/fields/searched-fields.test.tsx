import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../../../test/show.tsx'
import { OptionsField, PersonField } from './searched-fields.tsx'

afterEach(cleanup)

const common = { id: 'field', label: 'Field', onChange: () => undefined, readOnly: false }

test('a person who left the project is shown by number, and a value that is no number as it is stored', () => {
  const options = [{ value: '7', label: 'Dana Kim' }]
  const shown = (value: string) => {
    show(<PersonField {...common} options={options} value={value} />)
    const text = screen.getByRole<HTMLInputElement>('combobox').value
    cleanup()
    return text
  }
  expect(['7', '8', 'dana', ''].map(shown)).toEqual(['Dana Kim', 'Former member 8', 'dana', ''])
})

test('a deleted option is still shown on the ticket that has it', () => {
  show(<OptionsField {...common} options={[{ value: 'a', label: 'Apple' }]} value='["a","b"]' />)
  expect(screen.getAllByRole('button', { name: /^Remove/ }).map(button => button.getAttribute('aria-label'))).toEqual([
    'Remove Apple',
    'Remove b',
  ])
})
