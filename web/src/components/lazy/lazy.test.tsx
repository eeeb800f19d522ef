import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { lazy } from './lazy.tsx'

afterEach(cleanup)

test('a dialog that takes long to load shows that it is loading', async () => {
  const Dialog = lazy<{ onClose: () => void }>(() => new Promise(() => {}))
  await act(async () => render(<Dialog onClose={() => {}} />))
  expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeDefined()
})
