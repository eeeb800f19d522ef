import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useCarriedTicket } from './use-carried-ticket.ts'

afterEach(cleanup)

test('the next key was meant for a ticket that was taken away while keys carried it, unless something was pressed before', () => {
  const announce = vi.fn()
  const { result } = renderHook(() => useCarriedTicket('timeline', announce))
  const take = (by: 'keys' | 'pointer') => act(() => result.current.lose({ by }, { pcode: 'OPS', id: 7 }))
  take('pointer')
  expect(result.current.isForLost()).toBe(false)
  take('keys')
  result.current.forgetLost()
  expect(result.current.isForLost()).toBe(false)
  take('keys')
  expect([result.current.isForLost(), result.current.isForLost()]).toEqual([true, false])
  expect(announce.mock.calls).toEqual([['OPS-7 is no longer on the timeline.']])
})
