import { deleteLabels } from '@tessera/contract/projects/labels'
import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { DeleteLabelsDialog } from './delete-labels-dialog.tsx'

afterEach(cleanup)

test('a deletion that is under way is not closed, and says what came of it', async () => {
  const server = fakeServer()
  const { promise, resolve } = Promise.withResolvers<{ Success: 1 }>()
  server.on(deleteLabels, () => promise)
  const label = { idLabel: 1, Label: 'late', Color: '#c0ffee', Scope: 'project' as const, Tickets: 0 }
  function Page() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        <Toaster />
        {isOpen && (
          <DeleteLabelsDialog idProject={1} labels={[label]} ids={[1]} onRestore={async () => ''} onClose={() => setOpen(false)} />
        )}
      </>
    )
  }
  const { user } = show(<Page />)
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  await user.keyboard('{Escape}')
  expect(screen.getByRole('alertdialog')).toBeDefined()
  resolve({ Success: 1 })
  expect(await screen.findByRole('button', { name: 'UNDO' })).toBeDefined()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
