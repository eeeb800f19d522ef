import { expect, test, vi } from 'vitest'
import { followPress } from './follow-press.ts'

test('a drag ends when the page is hidden', () => {
  const ghost = document.createElement('div')
  const press = { lift: () => ghost, over: vi.fn(), scroll: () => false, end: vi.fn() }
  followPress(new PointerEvent('pointerdown', { pointerType: 'mouse', buttons: 1 }), press)
  document.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: 20 }))
  expect(ghost.isConnected).toBe(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(ghost.isConnected).toBe(false)
  expect(press.end.mock.calls).toEqual([[false]])
  document.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: 40 }))
  expect(press.over).toHaveBeenCalledTimes(1)
})

test('a drag that is called off ends at once, and its release clicks nothing', () => {
  const ghost = document.createElement('div')
  const press = { lift: () => ghost, over: vi.fn(), scroll: () => false, end: vi.fn() }
  const cancel = followPress(new PointerEvent('pointerdown', { pointerType: 'mouse', buttons: 1 }), press)
  document.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: 20 }))
  cancel()
  cancel()
  expect([ghost.isConnected, press.end.mock.calls]).toEqual([false, [[false]]])
  document.dispatchEvent(new PointerEvent('pointerup'))
  const click = new MouseEvent('click', { cancelable: true })
  document.dispatchEvent(click)
  expect(click.defaultPrevented).toBe(true)
})

test('when the browser takes a press that was called off, as to scroll, the next one clicks', async () => {
  const press = { lift: () => document.createElement('div'), over: vi.fn(), scroll: () => false, end: vi.fn() }
  const cancel = followPress(new PointerEvent('pointerdown', { pointerType: 'mouse', buttons: 1 }), press)
  document.dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: 20 }))
  cancel()
  document.dispatchEvent(new PointerEvent('pointercancel'))
  for (const type of ['pointerdown', 'pointerup']) document.dispatchEvent(new PointerEvent(type))
  const click = new MouseEvent('click', { cancelable: true })
  document.dispatchEvent(click)
  expect(click.defaultPrevented).toBe(false)
})
