import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { useHand } from './use-hand.ts'

afterEach(cleanup)

test('a ticket that somebody else takes away while it is carried is put down, and a toast says why', () => {
  render(<Toaster />)
  const ticket = { id: 7, pcode: 'OPS' } as QueriedTicket
  const announce = vi.fn()
  const optionsOf = (tickets: QueriedTicket[]) => ({
    ...{ tickets, area: 'calendar', fields: 'due', isShown: () => true, isSame: () => true, announce, onDrop: vi.fn() },
    onLift: () => new Promise<never>(() => {}),
  })
  const { result, rerender, unmount } = renderHook(useHand<string>, { initialProps: optionsOf([ticket]) })
  const stop = vi.fn()
  result.current.stopPress.current = stop
  act(() => result.current.lift('pointer', ticket, '2026-03-01'))
  expect([result.current.hand?.ticket.id, stop.mock.calls.length]).toEqual([7, 0])
  rerender(optionsOf([]))
  screen.getByText('OPS-7 is no longer on the calendar')
  screen.getByText('Somebody else moved or deleted it')
  expect([result.current.hand, stop.mock.calls.length]).toEqual([undefined, 1])
  // The next key was meant for it only if keys carried it.
  expect(result.current.isForLost()).toBe(false)
  rerender(optionsOf([ticket]))
  act(() => result.current.lift('keys', ticket, '2026-03-01'))
  rerender(optionsOf([]))
  expect([result.current.isForLost(), result.current.isForLost()]).toEqual([true, false])
  expect(announce.mock.calls).toEqual([['OPS-7 is no longer on the calendar.']])
  // The page may show something else meanwhile.
  unmount()
  expect(stop).toHaveBeenCalledTimes(3)
})
