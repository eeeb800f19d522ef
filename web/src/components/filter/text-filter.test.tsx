import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TextFilter } from './text-filter.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a filter cuts what is too long between characters: an emoji is one, as for the server', async () => {
  const { rerender } = render(<TextFilter label="ID" placeholder="" value="" onChange={() => {}} maxLength={4} />)
  const user = userEvent.setup()
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter ID' })
  await user.click(input)
  await user.paste('😀😀😀😀')
  expect(input.value).toBe('😀😀😀😀')
  await user.paste('😀')
  expect(input.value).toBe('😀😀😀😀')
  rerender(<TextFilter label="ID" placeholder="" value="" onChange={() => {}} maxLength={3} />)
  await user.clear(input)
  await user.paste('aa😀b')
  expect(input.value).toBe('aa😀')
})

test('a filter is told once after a pause, at once by Enter or when it is cleared; it shows what comes from elsewhere', () => {
  vi.useFakeTimers()
  const told = vi.fn()
  const filter = (value: string) => <TextFilter label="ID" placeholder="" value={value} onChange={told} maxLength={64} />
  const { rerender } = render(filter(''))
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter ID' })
  const type = (value: string) => fireEvent.change(input, { target: { value } })
  for (const text of ['4', '42']) {
    type(text)
    act(() => vi.advanceTimersByTime(200))
  }
  expect(told.mock.calls).toEqual([])
  act(() => vi.advanceTimersByTime(100))
  expect(told.mock.calls).toEqual([['42']])
  type('421')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(told).toHaveBeenLastCalledWith('421')
  fireEvent.click(screen.getByRole('button', { name: 'Clear ID' }))
  expect(document.activeElement).toBe(input)
  act(() => vi.advanceTimersByTime(0))
  expect(told).toHaveBeenLastCalledWith('')
  rerender(filter('7'))
  expect(input.value).toBe('7')
  act(() => vi.advanceTimersByTime(1000))
  expect(told).toHaveBeenCalledTimes(3)
})
