import { expect, test } from 'vitest'
import { goesOn } from './scroll-limit.ts'

test('dragging scrolls only while the lists go on beyond the edge that the pointer is near', () => {
  const view = { top: 0, bottom: 800 }
  expect(goesOn({ top: 200, bottom: 900 }, view, 790)).toBe(true)
  expect(goesOn({ top: 200, bottom: 700 }, view, 790)).toBe(false)
  expect(goesOn({ top: -100, bottom: 700 }, view, 10)).toBe(true)
  expect(goesOn({ top: 200, bottom: 900 }, view, 10)).toBe(false)
})
