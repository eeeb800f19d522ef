import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Autocomplete } from './autocomplete.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const options = [
  { id: 1, text: 'たろう' },
  { id: 2, text: 'はなこ' },
]

function open() {
  const onChange = vi.fn()
  show(<Autocomplete label="Person" options={options} value={null} onChange={onChange} />)
  const input = screen.getByRole('combobox')
  fireEvent.click(input)
  return { input, onChange }
}

test('the Enter that ends an IME composition chooses nothing', () => {
  const { input, onChange } = open()
  fireEvent.keyDown(input, { key: 'Enter', isComposing: true })
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(onChange).toHaveBeenCalledExactlyOnceWith(options[0])
})

test('the open list follows its field when something scrolls, as under the keyboard of a phone', () => {
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(800)
  const { input } = open()
  const field = input.parentElement?.parentElement as HTMLElement
  field.getBoundingClientRect = () => new DOMRect(20, 100, 200, 34)
  fireEvent.scroll(document)
  expect(screen.getByRole('listbox').style.top).toBe('138px')
  field.getBoundingClientRect = () => new DOMRect(20, 40, 200, 34)
  fireEvent.scroll(document)
  expect(screen.getByRole('listbox').style.top).toBe('78px')
})
