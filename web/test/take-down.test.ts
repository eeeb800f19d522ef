import { cleanup, render } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'

const frame = () => new Promise(resolve => requestAnimationFrame(resolve))

test('a test that ends with a frame pending', () => {
  requestAnimationFrame(() => expect.unreachable())
})

test('the next test does not run the frame of the one before', frame)

test('frames go on after a focused element was removed while timers were fake', async () => {
  vi.useFakeTimers()
  const { getByRole } = render(createElement('input'))
  getByRole('textbox').focus()
  cleanup()
  vi.useRealTimers()
  await frame()
})

test('a test that stands in for the time, a function and a global', () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'info').mockReturnValue()
  vi.stubGlobal('turnstile', {})
})

test('the next test has the real ones', () => {
  expect([vi.isFakeTimers(), vi.isMockFunction(console.info), 'turnstile' in window]).toEqual([false, false, false])
})
