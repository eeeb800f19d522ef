import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { CallError } from '../../lib/calls/api.ts'
import { Toaster } from '../toaster/toaster.tsx'
import { RemovalDialog } from './removal-dialog.tsx'

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
