import { changePassword } from '@tessera/contract/people/profile'
import { getClientConfig } from '@tessera/contract/people/session'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { show } from '../../../test/show.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a wrong current password is said, marked at its field and gets the focus', async () => {
  const server = fakeServer()
  server.on(getClientConfig, () => new Refusal(503))
  server.on(changePassword, () => ({ Success: 0 }))
  const { user } = show(<ChangePasswordDialog onClose={() => undefined} />)
  const current = await screen.findByLabelText('Current password')
  await user.type(current, 'wrong')
  // Escape asks before it drops what was typed.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  for (const label of ['New password', 'Verify password']) await user.type(screen.getByLabelText(label), 'a quiet harbour light')
  await user.click(screen.getByRole('button', { name: 'CHANGE' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The current password is wrong.')
  expect([document.activeElement, current.ariaInvalid]).toEqual([current, 'true'])
})
