import { act, cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { closeReconnect, currentSession, enterSession, timeOutSession } from '../../lib/session/session.tsx'
import { PageHeading } from '../page-content/page-heading.tsx'
import { ErrorState } from './error-state.tsx'

afterEach(cleanup)

test('after TRY AGAIN the focus is at the heading of what was loaded', async () => {
  const Page = () => {
    const [isLoaded, load] = useState(false)
    return isLoaded ? <PageHeading>Loaded</PageHeading> : <ErrorState isPage onRetry={() => load(true)} />
  }
  const { user } = show(<Page />)
  ;(await screen.findByRole('button', { name: 'TRY AGAIN' })).focus()
  await user.keyboard('{Enter}')
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Loaded' })))
})

test('TRY AGAIN asks to sign in again where the session has timed out, and only there', async () => {
  const { user } = show(<ErrorState onRetry={() => undefined} />)
  enterSession(signedIn())
  await user.click(await screen.findByRole('button', { name: 'TRY AGAIN' }))
  expect(currentSession().timedOut).toBe(false)
  act(() => {
    timeOutSession()
    closeReconnect('later')
  })
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  expect(currentSession()).toMatchObject({ timedOut: true, reconnect: 'asked' })
})
