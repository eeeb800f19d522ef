import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { isSame, isSameSet, useDraft } from './use-draft.ts'

const loaded = { Login: 'dana', Email: 'dana@example.com', Projects: [1, 2] }

function draftOf() {
  return renderHook(({ value }) => useDraft(value), { initialProps: { value: loaded } })
}

test('sends only what differs from what was loaded', () => {
  const { result } = draftOf()
  expect(result.current).toMatchObject({ draft: loaded, changed: {}, isDirty: false })
  act(() => result.current.set({ Email: 'new@example.com', Login: 'dana' }))
  expect(result.current).toMatchObject({ changed: { Email: 'new@example.com' }, isDirty: true })
  act(() => result.current.set({ Email: loaded.Email }))
  expect(result.current).toMatchObject({ changed: {}, isDirty: false })
})

test('a new load updates unedited fields and keeps edited ones', () => {
  const { result, rerender } = draftOf()
  act(() => result.current.set({ Email: 'mine@example.com' }))
  rerender({ value: { ...loaded, Login: 'dana2', Email: 'theirs@example.com' } })
  expect(result.current.draft).toMatchObject({ Login: 'dana2', Email: 'mine@example.com' })
  expect(result.current.changed).toEqual({ Email: 'mine@example.com' })
})

test('a field put back to its loaded value follows the next load', () => {
  const { result, rerender } = draftOf()
  act(() => result.current.set({ Login: 'x' }))
  act(() => result.current.set({ Login: 'dana' }))
  rerender({ value: { ...loaded, Login: 'dana2' } })
  expect(result.current).toMatchObject({ draft: { Login: 'dana2' }, isDirty: false })
})

test('saved values count as loaded before the next load; text typed meanwhile stays', () => {
  const { result, rerender } = draftOf()
  act(() => result.current.set({ Login: 'd', Email: 'e@example.com' }))
  const sent = result.current.changed
  act(() => result.current.set({ Email: 'later@example.com' }))
  act(() => result.current.saved(sent))
  expect(result.current).toMatchObject({ draft: { Login: 'd', Email: 'later@example.com' }, changed: { Email: 'later@example.com' } })
  rerender({ value: { ...loaded, Login: 'd', Email: 'e@example.com' } })
  expect(result.current.changed).toEqual({ Email: 'later@example.com' })
  act(() => result.current.reset())
  expect(result.current).toMatchObject({ draft: { Login: 'd', Email: 'e@example.com' }, isDirty: false })
})

test('compares by value', () => {
  expect(isSame({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true)
  expect(isSame({ a: undefined }, {})).toBe(false)
  expect(isSame([], {})).toBe(false)
  expect(isSame([1, 2], [2, 1])).toBe(false)
  expect(isSame(Number.NaN, Number.NaN)).toBe(true)
  expect(isSameSet([1, 2], [2, 1])).toBe(true)
  expect(isSameSet([1, 2], [2, 2])).toBe(false)
  expect(isSameSet([1, 2], [2, 1, 1])).toBe(false)
})
