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
