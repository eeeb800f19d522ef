import { getPropertytypeList, propertyTypes } from '@tessera/contract/projects/project-config'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { TicketFieldDialog } from './ticket-field-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a key that queries understand as something else is said to hide the field from them', async () => {
  fakeServer().on(getPropertytypeList, () => [...propertyTypes])
  const { user } = show(<TicketFieldDialog idProject={1} onClose={() => undefined} />)
  const key = screen.getByRole('textbox', { name: 'Database key' })
  await user.type(key, 'State')
  const described = { name: 'Database key', description: /In a query, state already has another meaning/ }
  expect(screen.getByRole('textbox', described)).toBe(key)
  for (const other of ['due', 'stat']) {
    await user.clear(key)
    await user.type(key, other)
    expect(screen.queryByText(/In a query/)).toBeNull()
  }
})

test('an option that is refused has the focus, and its text stays', async () => {
  const server = fakeServer()
  server.on(getPropertytypeList, () => [...propertyTypes])
  const options = ['High', 'Low'].map(label => ({ value: label, label }))
  const field = { id: 4, Label: 'Severity', Key: 'severity', FieldType: 2, FieldProps: options }
  const { user } = show(<TicketFieldDialog idProject={1} field={field} onClose={() => undefined} />)
  const low = await screen.findByRole('textbox', { name: 'Option 2' })
  await user.clear(low)
  await user.type(low, 'High')
  for (const _attempt of [1, 2]) {
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    screen.getByText('There is already an option with this name')
    expect(document.activeElement).toBe(low)
  }
  expect(low).toHaveProperty('value', 'High')
})

test('a key is proposed from the label until the person writes one; clearing it proposes again', async () => {
  fakeServer().on(getPropertytypeList, () => [...propertyTypes])
  const { user } = show(<TicketFieldDialog idProject={1} onClose={() => undefined} />)
  const [label, key] = [screen.getByRole('textbox', { name: 'Label' }), screen.getByRole('textbox', { name: 'Database key' })]
  const keyAfter = async (text: string) => {
    await user.clear(label)
    await user.type(label, text)
    return (key as HTMLInputElement).value
  }
  expect(await keyAfter('Fix Version/s')).toBe('fix_version_s')
  expect(await keyAfter('Café (№ 2)')).toBe('cafe_no_2')
  expect(await keyAfter('Größe')).toBe('grosse')
  expect(await keyAfter('Łatwość')).toBe('latwosc')
  expect(await keyAfter('重要度')).toBe('')
  expect(await keyAfter('State')).toBe('')
  expect(await keyAfter('a'.repeat(70))).toBe('a'.repeat(64))
  await user.clear(key)
  await user.type(key, 'severity')
  expect(await keyAfter('How bad')).toBe('severity')
  await user.clear(key)
  expect(await keyAfter('Bad')).toBe('bad')
})

test('the key of a field stays when its label changes', async () => {
  fakeServer().on(getPropertytypeList, () => [...propertyTypes])
  const field = { id: 4, Label: 'Severity', Key: 'severity', FieldType: 3, FieldProps: [] }
  const { user } = show(<TicketFieldDialog idProject={1} field={field} onClose={() => undefined} />)
  await user.type(screen.getByRole('textbox', { name: 'Label' }), ' of it')
  expect(screen.getByRole('textbox', { name: 'Database key' })).toHaveProperty('value', 'severity')
})
