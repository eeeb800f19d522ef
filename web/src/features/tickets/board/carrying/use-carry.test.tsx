import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import type { KeyboardEvent } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import type { Board, Card } from '../data/board-data.ts'
import { useCarry } from './use-carry.ts'

afterEach(cleanup)

const card = { id: 7, pcode: 'OPS' } as Card
const columns = ['1', '2'].map(key => ({
  key,
  Value: key,
  Label: `Column ${key}`,
  Total: 0,
  cards: key === '1' ? [card] : [],
  cursor: null,
}))

test('a failed read when a card is lifted is reported once: at the lift, or by the move after the drop', async () => {
  render(<Toaster />)
  for (const isDropped of [true, false]) {
    let fail = (_: Error) => {}
    const drop = vi.fn()
    const lift = () => new Promise<never>((_, reject) => (fail = reject))
    const options = {
      board: { lanes: undefined, columns } as Board,
      loaded: { columns },
      group: 'State',
      moves: { lift, drop },
      announce: vi.fn(),
      onLanded: vi.fn(),
    }
    const { result } = renderHook(() => useCarry(options as unknown as Parameters<typeof useCarry>[0]))
    const press = (key: string) => act(() => void result.current.onKeyDown({ key } as KeyboardEvent, card, '1'))
    press(' ')
    press('ArrowRight')
    if (isDropped) press(' ')
    await act(async () => fail(new Error('Not reached')))
    expect(options.announce).not.toHaveBeenCalledWith(expect.stringContaining('Dropped'))
    expect(drop).toHaveBeenCalledTimes(isDropped ? 1 : 0)
    expect(screen.queryAllByText('Not reached')).toHaveLength(isDropped ? 0 : 1)
  }
})

test('the key that should drop a card lifts no other one when the card has left the board', () => {
  const [lift, announce] = [vi.fn(() => new Promise<never>(() => {})), vi.fn()]
  const optionsOf = (board: object) =>
    ({ board, loaded: board, group: 'State', moves: { lift }, announce, onLanded: vi.fn() }) as unknown as Parameters<typeof useCarry>[0]
  const { result, rerender } = renderHook(useCarry, { initialProps: optionsOf({ columns }) })
  const press = (on: Card) => act(() => void result.current.onKeyDown({ key: ' ' } as KeyboardEvent, on, '1'))
  press(card)
  rerender(optionsOf({ columns: columns.map(column => ({ ...column, cards: [] })) }))
  press({ ...card, id: 8 })
  expect(announce).toHaveBeenLastCalledWith('OPS-7 is no longer on the board.')
  expect([lift.mock.calls.length, result.current.hand]).toEqual([1, undefined])
})

test('a card whose target column is deleted while it is carried is back where it was, with the reason', async () => {
  render(<Toaster />)
  const drop = vi.fn()
  const optionsOf = (shown: object[]) =>
    ({
      board: { columns: shown },
      loaded: { columns: shown },
      group: 'State',
      moves: { lift: () => new Promise<never>(() => {}), drop },
      announce: vi.fn(),
      onLanded: vi.fn(),
    }) as unknown as Parameters<typeof useCarry>[0]
  const { result, rerender } = renderHook(useCarry, { initialProps: optionsOf(columns) })
  const press = (key: string) => act(() => void result.current.onKeyDown({ key } as KeyboardEvent, card, '1'))
  press(' ')
  press('ArrowRight')
  expect(result.current.hand?.to?.column).toBe('2')
  rerender(optionsOf(columns.slice(0, 1)))
  expect(result.current.hand?.to).toBeUndefined()
  press(' ')
  screen.getByText('OPS-7 is back where it was')
  screen.getByText('This column is no longer on the board')
  expect([drop.mock.calls.length, result.current.hand]).toEqual([0, undefined])
})

test('a key that has no further column to carry the card to says so', () => {
  const announce = vi.fn()
  const moves = { lift: () => new Promise<never>(() => {}) }
  const options = { board: { columns }, loaded: { columns }, group: 'State', moves, announce, onLanded: vi.fn() }
  const { result } = renderHook(() => useCarry(options as unknown as Parameters<typeof useCarry>[0]))
  for (const key of [' ', 'ArrowLeft']) act(() => void result.current.onKeyDown({ key } as KeyboardEvent, card, '1'))
  expect(announce).toHaveBeenLastCalledWith('There is no other place for OPS-7 on this side.')
})
