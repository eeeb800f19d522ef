import { createProject } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { showPages } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { NewProjectDialog } from './new-project-dialog.tsx'

afterEach(cleanup)

test('the message that a project was created leads to what it needs first', async () => {
  const server = fakeServer()
  server.on(createProject, () => ({ Success: 1, idProject: 9 }))
  function Page() {
    const [isOpen, open] = useState(true)
    return (
      <>
        {isOpen && <NewProjectDialog onClose={() => open(false)} />}
        <Toaster />
      </>
    )
  }
  const { user } = showPages([
    { path: '/', Component: Page },
    { path: '/edit-project/:id', Component: () => 'the settings' },
  ])
  await user.type(screen.getByLabelText('Title'), 'Zoo')
  // Escape asks before it drops what was typed.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await user.type(screen.getByLabelText('ShortCode'), 'ZOO')
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await user.click(await screen.findByRole('button', { name: 'SET UP' }))
  await screen.findByText('the settings')
  expect(server.sentTo(createProject)).toHaveLength(1)
})
