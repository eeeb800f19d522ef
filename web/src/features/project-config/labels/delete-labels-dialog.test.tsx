import { deleteLabels } from '@tessera/contract/projects/labels'
import { act, cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { DeleteLabelsDialog } from './delete-labels-dialog.tsx'

afterEach(cleanup)

test('a pending deletion is not sent twice, keeps its dialog open, and reports its outcome, and a failed UNDO is offered again', async () => {
  const server = fakeServer()
  const { promise, resolve } = Promise.withResolvers<{ Success: 1 }>()
  server.on(deleteLabels, () => promise)
  const restore = vi.fn(async () => 'The label is back')
  restore.mockRejectedValueOnce(new Error('Busy'))
  const label = { idLabel: 1, Label: 'late', Color: '#c0ffee', Scope: 'project' as const, Tickets: 0 }
  function Page() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        <Toaster />
        {isOpen && <DeleteLabelsDialog idProject={1} labels={[label]} ids={[1]} onRestore={restore} onClose={() => setOpen(false)} />}
      </>
    )
  }
  const { user } = show(<Page />)
  const button = screen.getByRole('button', { name: 'DELETE' })
  // A double click, with no time for a timeout in between.
  await act(async () => button.click())
  await act(async () => button.click())
  expect(server.sentTo(deleteLabels)).toHaveLength(1)
  await user.keyboard('{Escape}')
  expect(screen.getByRole('alertdialog')).toBeDefined()
  resolve({ Success: 1 })
  expect(await screen.findByRole('button', { name: 'UNDO' })).toBeDefined()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  expect(await screen.findByText('Busy')).toBeDefined()
  await user.click(screen.getAllByRole('button', { name: 'UNDO' }).at(-1) as HTMLElement)
  expect(await screen.findByText('The label is back')).toBeDefined()
})

test('a label that somebody else has deleted meanwhile is named as such, and its dialog closes', async () => {
  fakeServer().on(deleteLabels, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  const label = { idLabel: 1, Label: 'late', Color: '#c0ffee', Scope: 'project' as const, Tickets: 0 }
  const onClose = vi.fn()
  const { user } = show(
    <>
      <Toaster />
      <DeleteLabelsDialog idProject={1} labels={[label]} ids={[1]} onRestore={async () => ''} onClose={onClose} />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  expect(await screen.findByText('The label was deleted meanwhile')).toBeDefined()
  expect(onClose).toHaveBeenCalledOnce()
})

test('a deletion whose answer was lost can be repeated and undone', async () => {
  const server = fakeServer()
  server.on(deleteLabels, () => Promise.reject(new TypeError('Failed to fetch')))
  const restore = vi.fn(async () => 'The labels are back')
  const labels = ['late', 'later'].map((Label, index) => ({
    idLabel: index + 1,
    Label,
    Color: '#c0ffee',
    Scope: 'project' as const,
    Tickets: 0,
  }))
  const { user } = show(
    <>
      <Toaster />
      <DeleteLabelsDialog idProject={1} labels={labels} ids={[1, 2]} onRestore={restore} onClose={() => undefined} />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  await screen.findByText(/The server cannot be reached/)
  server.on(deleteLabels, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  await screen.findByText('Some labels were deleted meanwhile: choose again')
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('The labels are back')
  expect(restore).toHaveBeenCalledWith([1, 2])
})
