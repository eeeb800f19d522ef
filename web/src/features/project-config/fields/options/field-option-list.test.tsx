import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { FieldOptionList } from './field-option-list.tsx'
import { editable } from './field-options.ts'

afterEach(cleanup)

test('of a thousand options only those in sight are fields, besides a new one and one with a problem', async () => {
  const user = userEvent.setup()
  const stored = Array.from({ length: 1000 }, (_, index) => ({ value: `v${index}`, label: `Choice ${index}` }))
  function Options() {
    const [options, change] = useState(() => editable(stored))
    const [first, last] = [options[0], options[899]]
    const problem = first?.label === '' && last ? { id: last.id, message: 'Enter a name, or remove the option' } : undefined
    return <FieldOptionList options={options} problem={problem} onChange={change} />
  }
  render(<Options />)
  expect(screen.getAllByRole('listitem')).toHaveLength(1000)
  expect(screen.getAllByRole('textbox').length).toBeLessThan(100)
  screen.getByText('Choice 999')
  await user.click(screen.getByRole('button', { name: 'ADD OPTION' }))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Option 1001' }))
  await user.keyboard('New')
  expect(screen.queryByRole('textbox', { name: 'Option 900' })).toBeNull()
  await user.clear(screen.getByRole('textbox', { name: 'Option 1' }))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Option 900' }).value).toBe('Choice 899')
  screen.getByText('Enter a name, or remove the option')
})
