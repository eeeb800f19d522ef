import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { MultiSelectFilter } from './multi-select-filter.tsx'

afterEach(cleanup)

test('a filter without choices says whether there are none, or why they are not known', async () => {
  const words = [
    [{ data: undefined, error: null }, 'Loading…'],
    [{ data: undefined, error: new Error('The server cannot be reached.') }, 'The server cannot be reached.'],
    [{ data: [], error: null }, 'No items available'],
  ] as const
  for (const [list, text] of words) {
    render(<MultiSelectFilter label="State" options={[]} list={list} value={[]} onChange={() => {}} />)
    await userEvent.click(screen.getByRole('button', { name: 'State: All' }))
    expect(screen.getByRole('menuitem').textContent).toBe(text)
    cleanup()
  }
})

test('entries that begin with digits are found by typing them, also when they load after the list was opened', async () => {
  const onChange = vi.fn()
  const filter = (labels: string[]) => (
    <MultiSelectFilter label="Labels" options={labels.map(label => ({ value: label, label }))} value={[]} onChange={onChange} />
  )
  const { rerender } = render(filter([]))
  await userEvent.click(screen.getByRole('button', { name: 'Labels: All' }))
  rerender(filter(['1.9', '2.0', '2.1']))
  await userEvent.keyboard('2')
  expect(document.activeElement?.textContent).toBe('2.0')
  expect(onChange).not.toHaveBeenCalled()
})
