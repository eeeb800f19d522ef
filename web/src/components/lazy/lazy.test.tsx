import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from '../toaster/toaster.tsx'
import { lazy } from './lazy.tsx'

afterEach(cleanup)

test('a dialog that takes long to load shows that it is loading', async () => {
  const Dialog = lazy<{ onClose: () => void }>(() => new Promise(() => {}))
  await act(async () => render(<Dialog onClose={() => {}} />))
  expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeDefined()
})

test('a dialog that cannot be loaded closes and says what to do, also after an update of the server', async () => {
  const Dialog = lazy<{ onClose: () => void }>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  const onClose = vi.fn()
  await act(async () =>
    render(
      <>
        <Dialog onClose={onClose} />
        <Toaster />
      </>,
    ),
  )
  await screen.findByText(/could not be loaded.*try again.*If Tessera was updated meanwhile, reload the page/)
  expect(onClose).toHaveBeenCalledOnce()
})

test('what could not be loaded ahead is tried again when it is needed', async () => {
  const load = vi.fn<() => Promise<() => string>>().mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  load.mockResolvedValue(() => 'Here')
  const Part = lazy(load)
  await act(async () => Part.prepare())
  await act(async () =>
    render(
      <Suspense>
        <Part />
      </Suspense>,
    ),
  )
  screen.getByText('Here')
  expect(load).toHaveBeenCalledTimes(2)
})
