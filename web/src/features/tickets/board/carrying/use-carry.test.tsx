import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import type { KeyboardEvent } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { layOut } from '../board-layout.ts'
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
  render(<Toaster />)
  const [lift, announce] = [vi.fn(() => new Promise<never>(() => {})), vi.fn()]
  const optionsOf = (board: object) =>
    ({ board, loaded: board, group: 'State', moves: { lift }, announce, onLanded: vi.fn() }) as unknown as Parameters<typeof useCarry>[0]
  const { result, rerender } = renderHook(useCarry, { initialProps: optionsOf({ columns }) })
  const press = (on: Card) => act(() => void result.current.onKeyDown({ key: ' ' } as KeyboardEvent, on, '1'))
  press(card)
  rerender(optionsOf({ columns: columns.map(column => ({ ...column, cards: [] })) }))
  screen.getByText('OPS-7 is no longer on the board')
  screen.getByText('Somebody else moved or deleted it')
  expect(result.current.hand).toBeUndefined()
  press({ ...card, id: 8 })
  expect(announce).toHaveBeenLastCalledWith('OPS-7 is no longer on the board.')
  expect(lift).toHaveBeenCalledTimes(1)
  press({ ...card, id: 8 })
  expect(lift).toHaveBeenCalledTimes(2)
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

test('a key that has no further column to carry the card to says so, and Escape puts the card back', () => {
  const announce = vi.fn()
  const moves = { lift: () => new Promise<never>(() => {}) }
  const options = { board: { columns }, loaded: { columns }, group: 'State', moves, announce, onLanded: vi.fn() }
  const { result } = renderHook(() => useCarry(options as unknown as Parameters<typeof useCarry>[0]))
  for (const key of [' ', 'ArrowLeft']) act(() => void result.current.onKeyDown({ key } as KeyboardEvent, card, '1'))
  expect(announce).toHaveBeenLastCalledWith('There is no other place for OPS-7 on this side.')
  act(() => void result.current.onKeyDown({ key: 'Escape' } as KeyboardEvent, card, '1'))
  expect(announce).toHaveBeenLastCalledWith('OPS-7 is back where it was.')
  expect(result.current.hand).toBeUndefined()
})

/** The options of a board, and a lift by the mouse from it. */
function mouse() {
  const drop = vi.fn()
  // jsdom has no scrolling.
  const scroller = { current: Object.assign(document.createElement('div'), { scrollBy() {}, scrollTo() {} }) }
  const optionsOf = (board: object) =>
    ({
      ...{
        board,
        loaded: board,
        group: 'State',
        moves: { lift: () => new Promise<never>(() => {}), drop },
        announce: vi.fn(),
        onLanded: vi.fn(),
      },
      ...{ scroller, layout: { current: layOut(board as Board, 300, { columns: new Set(), lanes: new Set() }, undefined) } },
    }) as unknown as Parameters<typeof useCarry>[0]
  const lift = ({ onPointerDown }: ReturnType<typeof useCarry>) => {
    const down = new PointerEvent('pointerdown', { pointerType: 'mouse', isPrimary: true, buttons: 1 })
    act(() => onPointerDown({ nativeEvent: down } as never, document.createElement('a'), card, '1'))
    act(() => void document.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: 20 })))
  }
  return { drop, optionsOf, lift }
}

test('a card that leaves the board while the mouse carries it is put down at once, and a toast says why', () => {
  render(<Toaster />)
  const { optionsOf, lift } = mouse()
  const { result, rerender } = renderHook(useCarry, { initialProps: optionsOf({ columns }) })
  lift(result.current)
  expect([result.current.hand?.card.id, document.body.hasAttribute('data-dragging')]).toEqual([7, true])
  rerender(optionsOf({ columns: columns.map(column => ({ ...column, cards: [] })) }))
  screen.getByText('OPS-7 is no longer on the board')
  expect([result.current.hand, document.body.hasAttribute('data-dragging')]).toEqual([undefined, false])
})

test('when the page shows something else than the board while the mouse carries a card, the release moves nothing', () => {
  const { drop, optionsOf, lift } = mouse()
  const { result, unmount } = renderHook(useCarry, { initialProps: optionsOf({ columns }) })
  lift(result.current)
  unmount()
  expect(document.body.hasAttribute('data-dragging')).toBe(false)
  document.dispatchEvent(new PointerEvent('pointerup'))
  expect(drop).not.toHaveBeenCalled()
})
