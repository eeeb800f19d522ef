import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { useActions } from '../../lib/input/actions.ts'
import { notify, Toaster } from './toaster.tsx'
import { undo } from './undo.ts'

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

test('an UNDO that takes long says so until it is done, a quick one never does', async () => {
  vi.useFakeTimers()
  render(<Toaster />)
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
  undo(() => Promise.resolve('The label is back')).onClick()
  await pass(1000)
  screen.getByText('The label is back')
  expect(screen.queryByText('Undoing…')).toBeNull()
  const slow = Promise.withResolvers<string>()
  undo(() => slow.promise).onClick()
  await pass(1000)
  screen.getByText('Undoing…')
  slow.resolve('The state is back')
  await pass(1000)
  screen.getByText('The state is back')
  expect(screen.queryByText('Undoing…')).toBeNull()
})
