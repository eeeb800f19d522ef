import { expect, test } from 'vitest'
import { linkPath } from './link-path.ts'

/** The points of a path, without the head of the arrow. */
const pointsOf = (path: string) =>
  [...(path.split(' M')[0] ?? '').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

test('an arrow turns beside the first bar, and ends at the second one from the left', () => {
  const points = pointsOf(linkPath({ x: 100, y: 18 }, { x: 200, y: 90 }, 36))
  expect(points[0]).toEqual([100, 18])
  expect(points.at(-1)).toEqual([200, 90])
  expect(points.every(([x = 0]) => x >= 100 && x <= 200)).toBe(true)
  expect(points.at(-2)?.[1]).toBe(90)
})

test('where the second bar begins earlier, the arrow goes back between two rows', () => {
  for (const [from, to] of [
    [18, 90],
    [54, 18],
  ] as const) {
    const points = pointsOf(linkPath({ x: 100, y: from }, { x: 60, y: to }, 36))
    expect(points.filter(([, y]) => y === 36).length).toBeGreaterThan(2)
    expect(Math.max(...points.map(([x = 0]) => x))).toBe(110)
    expect(points.at(-1)).toEqual([60, to])
    expect(points.at(-2)?.[0]).toBeLessThan(60)
  }
})
