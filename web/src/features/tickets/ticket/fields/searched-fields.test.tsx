import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { MemberField } from './member-field.tsx'
import { OptionsField, PersonField } from './searched-fields.tsx'
import { ValueField } from './value-field.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

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

test('the members of a project are read when the list of a person opens; its own person is kept', async () => {
  const server = fakeServer()
  server.on(getProjectUserList, () => [
    { id: 8, text: 'Aiko Tan' },
    { id: 9, text: 'Omar Diaz' },
  ])
  const onChange = vi.fn()
  const own = [{ value: '7', label: 'Dana Kim' }]
  const { user } = show(<MemberField {...common} idTicket={5} options={own} value="7" onChange={onChange} />)
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('Dana Kim')
  expect(server.sentTo(getProjectUserList)).toHaveLength(0)
  await user.click(screen.getByRole('combobox'))
  await screen.findByRole('option', { name: 'Omar Diaz' })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Dana Kim', 'Aiko Tan', 'Omar Diaz'])
  await user.click(screen.getByRole('option', { name: 'Omar Diaz' }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith('9')
})

test('one of a thousand options is found by typing, and can be cleared; a deleted one is still shown', async () => {
  const FieldProps = Array.from({ length: 1000 }, (_, index) => ({ value: `v${index + 1}`, label: `Supplier ${index + 1}` }))
  const onChange = vi.fn()
  const { user } = show(<ValueField field={{ Label: 'Supplier', FieldType: 2, FieldProps }} people={[]} value="gone" onChange={onChange} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Supplier' })
  expect(input.value).toBe('gone')
  await user.click(input)
  expect(screen.getAllByRole('option')).toHaveLength(100)
  await user.clear(input)
  expect(onChange).toHaveBeenLastCalledWith('')
  await user.type(input, 'supplier 987')
  await user.click(screen.getByRole('option', { name: 'Supplier 987' }))
  expect(onChange).toHaveBeenLastCalledWith('v987')
})
