import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSending } from './use-sending.ts'

test('each box shows the chosen value until it is stored, and the later of two ticks counts', async () => {
  const { result } = renderHook(() => useSending())
  const sent = (key: string) => result.current[0](key)
  const pending: (() => void)[] = []
  const tick = (key: string, on: boolean) =>
    act(() => void result.current[1](key, on, () => new Promise<void>(resolve => pending.push(resolve))))
  const settle = (index: number) => act(async () => pending[index]?.())
  tick('a', true)
  tick('b', false)
  expect([sent('a'), sent('b'), sent('c')]).toEqual([true, false, undefined])
  tick('a', false)
  // One box is stored one value after the other, or the earlier one could arrive last.
  expect(pending).toHaveLength(2)
  await settle(0)
  expect(pending).toHaveLength(3)
  expect([sent('a'), sent('b')]).toEqual([false, false])
  await settle(1)
  expect([sent('a'), sent('b')]).toEqual([false, undefined])
  await settle(2)
  expect(sent('a')).toBeUndefined()
})

test('a box whose storing fails shows what is stored again', async () => {
  const { result } = renderHook(() => useSending())
  let storing: Promise<void> | undefined
  await act(async () => {
    storing = result.current[1]('a', true, () => Promise.reject(new Error('refused')))
    await storing.catch(() => undefined)
  })
  await expect(storing).rejects.toThrow('refused')
  expect(result.current[0]('a')).toBeUndefined()
})

test('a tick after one that fails is stored all the same', async () => {
  const { result } = renderHook(() => useSending())
  const stored: boolean[] = []
  await act(async () => {
    const failing = result.current[1]('a', true, () => Promise.reject(new Error('refused')))
    const next = result.current[1]('a', false, async () => void stored.push(false))
    await expect(failing).rejects.toThrow('refused')
    await next
  })
  expect(stored).toEqual([false])
})
