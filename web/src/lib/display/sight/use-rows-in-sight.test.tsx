import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRowsInSight } from './use-rows-in-sight.ts'

test('every row of a long list is printed', () => {
  const list = { current: document.createElement('div') }
  const { result } = renderHook(() => useRowsInSight(list, { count: 1000, height: 36, isWhole: false }))
  expect(result.current.end).toBeLessThan(100)
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(result.current).toEqual({ first: 0, end: 1000 })
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(result.current.end).toBeLessThan(100)
})
