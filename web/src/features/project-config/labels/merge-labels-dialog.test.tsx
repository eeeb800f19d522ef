import { deleteLabels } from '@tessera/contract/projects/labels'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { MergeLabelsDialog } from './merge-labels-dialog.tsx'

afterEach(cleanup)

const labels = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    idLabel: index + 1,
    Label: `l${index + 1}`,
    Color: 'gray' as const,
    Scope: 'project' as const,
    Tickets: count - index,
  }))

async function sentence(count: number) {
  show(<MergeLabelsDialog idProject={1} labels={labels(count)} onRestore={async () => ''} onClose={() => undefined} />)
  return (await screen.findByText(/^Tickets with/)).textContent
}

test('of many labels ten are listed by name', async () => {
  expect(await sentence(3)).toBe('Tickets with l2 or l3 will carry l1 instead.')
  cleanup()
  expect(await sentence(480)).toBe('Tickets with l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, or 469 more will carry l1 instead.')
})

test('a merge whose answer was lost can be repeated and undone', async () => {
  const server = fakeServer()
  server.on(deleteLabels, () => Promise.reject(new TypeError('Failed to fetch')))
  const restore = vi.fn(async () => 'The labels are back')
  const { user } = show(
    <>
      <Toaster />
      <MergeLabelsDialog idProject={1} labels={labels(3)} onRestore={restore} onClose={() => undefined} />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'MERGE' }))
  await screen.findByText(/The server cannot be reached/)
  server.on(deleteLabels, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await user.click(screen.getByRole('button', { name: 'MERGE' }))
  await screen.findByText('Some labels were deleted meanwhile: choose again')
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('The labels are back')
  expect(restore).toHaveBeenCalledWith([2, 3])
})
