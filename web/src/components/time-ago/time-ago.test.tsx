import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TimeAgo } from './time-ago.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a page that stays open says how long ago something happened, and stops counting when it is left', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 1_790_000_000_000 })
  const { unmount } = render(<TimeAgo at={1_790_000_000} />)
  expect(screen.getByText('just now')).toBeDefined()
  act(() => void vi.advanceTimersByTime(5 * 60_000))
  expect(screen.getByText('5 minutes ago')).toBeDefined()
  act(() => void vi.advanceTimersByTime(24 * 3_600_000))
  expect(screen.getByText('yesterday')).toBeDefined()
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
