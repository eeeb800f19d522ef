import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { CallError } from '../../lib/calls/api.ts'
import { Toaster } from '../toaster/toaster.tsx'
import { RemovalDialog } from './removal-dialog.tsx'

afterEach(cleanup)

test('somebody who was removed meanwhile is reported as removed, without UNDO', async () => {
  const onClose = vi.fn()
  const remove = () => Promise.reject(new CallError(404, { error: 'Not found', code: 'not_found' }))
  const { user } = show(
    <>
      <Toaster />
      <RemovalDialog title="Remove ada?" remove={remove} removed="ada is no longer a member" restore={async () => ''} onClose={onClose}>
        She leaves every project.
      </RemovalDialog>
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'REMOVE' }))
  await screen.findByText('ada is no longer a member')
  expect(screen.queryByRole('button', { name: 'UNDO' })).toBeNull()
  expect(onClose).toHaveBeenCalledOnce()
})

test('a removal whose answer was lost can be repeated and undone', async () => {
  const onClose = vi.fn()
  const lost = new CallError(0, { error: 'The server cannot be reached', code: 'network' })
  const remove = vi.fn(() => Promise.reject(new CallError(404, { error: 'Not found', code: 'not_found' }))).mockRejectedValueOnce(lost)
  const restore = vi.fn(async () => 'ada is a member again')
  const { user } = show(
    <>
      <Toaster />
      <RemovalDialog title="Remove ada?" remove={remove} removed="ada is no longer a member" restore={restore} onClose={onClose}>
        She leaves every project.
      </RemovalDialog>
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'REMOVE' }))
  await screen.findByText('The server cannot be reached')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'REMOVE' }))
  await user.click(await screen.findByRole('button', { name: 'UNDO' }))
  await screen.findByText('ada is a member again')
  expect(onClose).toHaveBeenCalledOnce()
})
