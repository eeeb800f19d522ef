import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSettled } from './use-settled.ts'

function list() {
  const stored = Promise.withResolvers<void>()
  const { result, rerender } = renderHook(({ ids, readAt }) => useSettled({ list: ids }, () => stored.promise, readAt), {
    initialProps: { ids: [1, 2, 3], readAt: 0 },
  })
  act(() => void result.current[1]({ list: [3, 1, 2] })?.catch(() => undefined))
  return { stored, rerender, shown: () => result.current[0].list }
}

test('the order after a drop is shown until it is stored and the list was read after that', async () => {
  const { stored, rerender, shown } = list()
  expect(shown()).toEqual([3, 1, 2])
  // An older answer.
  rerender({ ids: [1, 2, 3], readAt: 1 })
  await act(async () => stored.resolve())
  expect(shown()).toEqual([3, 1, 2])
  // Somebody else has changed it since.
  rerender({ ids: [2, 3, 1], readAt: Date.now() + 1000 })
  expect(shown()).toEqual([2, 3, 1])
})

test('an order that is refused gives way to the stored one', async () => {
  const { stored, shown } = list()
  await act(async () => stored.reject(new Error('refused')))
  expect(shown()).toEqual([1, 2, 3])
})
