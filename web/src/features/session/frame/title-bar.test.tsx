import { cleanup, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { TitleBar } from './title-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the bar names the project that is open: after STAY the one before, after LEAVE the chosen one', async () => {
  const projects = ['Alpha', 'Beta'].map((Title, index) => ({ id: index + 1, shortcode: Title.toUpperCase(), Title }))
  enterSession(signedIn({ projects }))
  fakeServer()
  const Frame = ({ children }: { children: ReactNode }) => (
    <>
      <TitleBar actions={null} />
      {children}
    </>
  )
  const { user } = showPages(
    [
      { path: '/edit-project/:id', Frame, Component: () => <LeaveGuard isDirty /> },
      { path: '/view-project/:id', Frame, Component: () => null },
    ],
    '/edit-project/1',
  )
  const choose = async (answer: string) => {
    await user.click(await screen.findByRole('button', { name: 'Project: Alpha' }))
    await user.click(screen.getByRole('menuitem', { name: /Beta/ }))
    await user.click(await screen.findByRole('button', { name: answer }))
  }
  await choose('STAY')
  screen.getByRole('button', { name: 'Project: Alpha' })
  await choose('LEAVE')
  await waitFor(() => expect(window.location.pathname).toBe('/view-project/2'))
  await screen.findByRole('button', { name: 'Project: Beta' })
})
