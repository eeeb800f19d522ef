import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { noteReach, useOffline } from './reach.ts'

afterEach(() => {
  cleanup()
  act(() => noteReach(true))
})

function Connection() {
  return useOffline() ? 'offline' : 'online'
}

test('a call without an answer or a lost connection is offline, until an answer or a connection comes', () => {
  render(<Connection />)
  expect(screen.getByText('online')).toBeDefined()
  act(() => noteReach(false))
  expect(screen.getByText('offline')).toBeDefined()
  act(() => noteReach(true))
  expect(screen.getByText('online')).toBeDefined()
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByText('offline')).toBeDefined()
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.getByText('online')).toBeDefined()
})
