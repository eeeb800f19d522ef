import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { useActions } from '../../lib/input/actions.ts'
import { notify, Toaster } from './toaster.tsx'

afterEach(cleanup)

test('a refused key and what fails again say so once; a fifth message replaces the oldest one without an UNDO', async () => {
  function Page() {
    useActions([{ keys: 's', label: 'Change the state', refused: 'This ticket is in the trash', run: () => {} }])
    return <Toaster />
  }
  render(<Page />)
  act(() => void notify.success('Moved', { label: 'UNDO', onClick: () => {} }))
  await userEvent.setup().keyboard('ss')
  await waitFor(() => expect(screen.getAllByText('This ticket is in the trash')).toHaveLength(1))
  for (const message of ['Second', 'Third', 'Third', 'Fourth']) act(() => void notify.error(message))
  expect(screen.getAllByRole('listitem').map(toast => toast.textContent)).toEqual([
    'MovedDismissUNDO',
    'SecondDismiss',
    'ThirdDismiss',
    'FourthDismiss',
  ])
  // Each failed UNDO stays, because it may be the only way back; the same one is offered once.
  const again = { label: 'UNDO', onClick: () => {} }
  for (const action of [again, again, { ...again }]) act(() => void notify.error('Third', action))
  expect(screen.getAllByRole('listitem').map(toast => toast.textContent)).toEqual([
    'MovedDismissUNDO',
    'FourthDismiss',
    'ThirdDismissUNDO',
    'ThirdDismissUNDO',
  ])
})
