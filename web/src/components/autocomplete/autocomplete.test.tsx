import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Autocomplete, MultiAutocomplete } from './autocomplete.tsx'

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

test('Enter pressed before the options for the typed text have come chooses the first of them, not one for an earlier text', () => {
  const onChange = vi.fn()
  const Field = ({ found, loading }: { found: typeof options; loading: boolean }) => (
    <Autocomplete label="Person" options={found} loading={loading} onTextChange={() => {}} value={null} onChange={onChange} />
  )
  const { rerender } = render(<Field found={[]} loading />)
  const input = screen.getByRole('combobox')
  const press = (text: string) => {
    fireEvent.change(input, { target: { value: text } })
    fireEvent.keyDown(input, { key: 'Enter' })
  }
  press('た')
  rerender(<Field found={options} loading={false} />)
  expect(onChange).toHaveBeenLastCalledWith(options[0])

  rerender(<Field found={options} loading />)
  press('は')
  expect(onChange).toHaveBeenCalledTimes(1)
  rerender(<Field found={options.slice(1)} loading={false} />)
  expect(onChange).toHaveBeenLastCalledWith(options[1])

  // Whoever types on or leaves has not chosen anything.
  for (const change of [() => fireEvent.change(input, { target: { value: 'はな' } }), () => fireEvent.blur(input)]) {
    rerender(<Field found={[]} loading />)
    press('は')
    change()
    rerender(<Field found={options} loading={false} />)
  }
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('the field gets the focus when the button of a removed option had it', () => {
  const onChange = vi.fn()
  show(<MultiAutocomplete label="People" options={options} value={options} onChange={onChange} />)
  const remove = screen.getByRole('button', { name: 'Remove たろう' })
  remove.focus()
  fireEvent.click(remove)
  expect(onChange).toHaveBeenCalledExactlyOnceWith([options[1]])
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('of thousands of options a hundred are rendered at first, and all can be reached by scrolling, by keys and by typing', async () => {
  const people = Array.from({ length: 4000 }, (_, index) => ({ id: index + 1, text: `Person ${index + 1}` }))
  const onChange = vi.fn()
  show(<Autocomplete label="Person" options={people} value={null} onChange={onChange} />)
  const input = screen.getByRole('combobox')
  const rendered = () => document.querySelectorAll('[role=option]').length
  fireEvent.click(input)
  expect(rendered()).toBe(100)
  expect(document.querySelector('[role=option]')?.getAttribute('aria-setsize')).toBe('4000')
  const list = screen.getByRole('listbox')
  const sizes = { clientHeight: 300, scrollHeight: 3200, scrollTop: 2000 }
  for (const [name, value] of Object.entries(sizes)) Object.defineProperty(list, name, { value, writable: true })
  fireEvent.scroll(list)
  expect(rendered()).toBe(100)
  list.scrollTop = 2700
  fireEvent.scroll(list)
  await waitFor(() => expect(rendered()).toBe(200))
  // From the first to the last that is rendered, and on from there.
  for (const key of ['ArrowUp', 'ArrowDown']) fireEvent.keyDown(input, { key })
  expect(document.querySelector('[data-active]')?.textContent).toBe('Person 201')
  fireEvent.change(input, { target: { value: 'person 3999' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(onChange).toHaveBeenCalledExactlyOnceWith(people[3998])
})

test('a screen reader hears what is chosen, that nothing matches, and what Backspace removes', () => {
  const Field = () => {
    const [value, setValue] = useState(options)
    return <MultiAutocomplete label="People" options={options} value={value} onChange={setValue} />
  }
  show(<Field />)
  const input = screen.getByRole('combobox')
  const spoken = () => [input.getAttribute('aria-description'), input.parentElement?.querySelector('[aria-live]')?.textContent]
  expect(spoken()).toEqual(['たろう, はなこ', ''])
  fireEvent.change(input, { target: { value: 'x' } })
  expect(spoken()).toEqual(['たろう, はなこ', '0 found'])
  // Only options may be in a list box.
  expect([...screen.getByRole('listbox').children].map(child => child.getAttribute('role'))).toEqual(['option'])
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.keyDown(input, { key: 'Backspace' })
  expect(spoken()).toEqual(['たろう', 'はなこ removed'])
})
