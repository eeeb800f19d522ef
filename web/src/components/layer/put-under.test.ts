import { afterEach, expect, test, vi } from 'vitest'
import { onViewChange, putUnder } from './put-under.ts'

afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

/** A list of this height in a window of 320 × 256, as with a zoom of 400 %, at a field that is 40 px high. */
function place(height: number, fieldTop: number, isWide: boolean) {
  for (const [name, size] of [
    ['clientWidth', 320],
    ['clientHeight', 256],
  ] as const) {
    vi.spyOn(document.documentElement, name, 'get').mockReturnValue(size)
  }
  const [list, field] = [document.createElement('div'), document.createElement('input')]
  document.body.append(list, field)
  const shown = () => Math.min(height, Number.parseFloat(list.style.maxHeight || 'Infinity'))
  list.getBoundingClientRect = () => new DOMRect(0, 0, 100, shown())
  field.getBoundingClientRect = () => new DOMRect(20, fieldTop, 100, 40)
  putUnder(list, field, { isWide })
  const top = Number.parseFloat(list.style.top)
  return { top, bottom: top + shown() }
}

test('a list covers neither its field nor the edge of the window', () => {
  expect(place(220, 60, true)).toEqual({ top: 104, bottom: 240 })
  expect(place(220, 150, true)).toEqual({ top: 16, bottom: 146 })
  expect(place(60, 60, true)).toEqual({ top: 104, bottom: 164 })
})

test('a list is not put behind the on-screen keyboard', () => {
  vi.stubGlobal('visualViewport', { offsetTop: 0, height: 120 })
  expect(place(220, 70, true)).toEqual({ top: 16, bottom: 88 })
  vi.stubGlobal('visualViewport', { offsetTop: 60, height: 160 })
  expect(place(220, 70, true)).toEqual({ top: 114, bottom: 204 })
  vi.unstubAllGlobals()
})

test('a menu may lie over its button', () => {
  expect(place(220, 60, false)).toEqual({ top: 20, bottom: 240 })
})

test('a list is placed again when something else scrolls, and not when it scrolls itself', () => {
  const [list, place] = [document.body.appendChild(document.createElement('div')), vi.fn()]
  const end = onViewChange({ current: list }, place)
  list.dispatchEvent(new Event('scroll'))
  expect(place).not.toHaveBeenCalled()
  document.dispatchEvent(new Event('scroll'))
  expect(place).toHaveBeenCalledOnce()
  end()
})
