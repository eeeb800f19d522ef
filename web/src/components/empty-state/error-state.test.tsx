import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
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
