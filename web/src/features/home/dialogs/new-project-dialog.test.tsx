import { createProject } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { showPages } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { NewProjectDialog } from './new-project-dialog.tsx'

afterEach(cleanup)

test('the short code is suggested from the title until it is typed; the message leads to what the project needs first', async () => {
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
  const title = screen.getByLabelText('Title')
  const code = screen.getByLabelText<HTMLInputElement>('ShortCode')
  await user.type(title, 'Émile')
  expect(code.value).toBe('EMIL')
  await user.type(title, ' goes home')
  expect(code.value).toBe('EGH')
  await user.clear(title)
  await user.type(title, 'Тестовый проект')
  expect(code.value).toBe('')
  await user.type(code, 'TEST')
  await user.type(title, ' two')
  expect(code.value).toBe('TEST')
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await user.click(await screen.findByRole('button', { name: 'SET UP' }))
  await screen.findByText('the settings')
  expect(server.sentTo(createProject).map(({ input }) => input)).toEqual([{ Title: 'Тестовый проект two', ShortCode: 'TEST' }])
})
