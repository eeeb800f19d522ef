import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { usePreviewPages } from './use-preview-pages.ts'

test('the error of one preview’s next page is not shown for the next preview', async () => {
  const page = { Total: 200, Changed: 200, Same: 0, Refused: [], Rows: [], NextCursor: 'next' }
  const { result } = renderHook(() => usePreviewPages(() => Promise.reject(new Error('No answer'))))
  act(() => result.current.show(page))
  await act(async () => result.current.list.more())
  expect(result.current.list.error?.message).toBe('No answer')
  act(() => result.current.show({ ...page, Changed: 1 }))
  expect(result.current.list.error).toBeNull()
  // An answer about the former preview that comes late.
  act(() => {
    result.current.list.more()
    result.current.show(page)
  })
  await act(async () => undefined)
  expect(result.current.list).toMatchObject({ error: null, isFetching: false })
})
