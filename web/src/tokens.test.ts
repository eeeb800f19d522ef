import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const css = await readFile('web/src/tokens.css', 'utf8')
const [light = '', dark = '', strong = ''] = css.split(/:root\[data-dark\]|@media screen and \(prefers-contrast: more\)/)

function colorsIn(text: string) {
  return Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]))
}

/** As WCAG 2.2 defines it. */
function luminance(color: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, other: string) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

// A row has each of these backgrounds: at rest, pointed at, selected.
const backgrounds = ['page', 'surface', 'hover', 'soft']
const words = ['text', 'text-dim', 'accent', 'danger', 'warning', 'info', 'phase-proposed', 'phase-active', 'phase-inactive']

/** Those of the names whose contrast to a background is too low. */
function weak(colors: ReturnType<typeof colorsIn>, names: string[], on: string[], least: number) {
  return names.flatMap(name =>
    on.filter(below => contrast(colors[name] ?? '', colors[below] ?? '') < least).map(below => `${name} on ${below} is below ${least}`),
  )
}

test.each([
  ['light', colorsIn(light)],
  ['dark', { ...colorsIn(light), ...colorsIn(dark) }],
])('in the %s scheme words have a contrast of 4.5 on every background, edges and icons of 3', (_, colors) => {
  expect([
    ...weak(colors, words, backgrounds, 4.5),
    ...weak(colors, ['text-faint', 'field'], backgrounds, 3),
    ...weak(colors, ['accent-fill', 'chart'], ['page', 'surface'], 3),
    ...weak(colors, ['on-fill'], ['accent-fill', 'accent-fill-hover', 'danger-fill', 'danger-fill-hover'], 4.5),
  ]).toEqual([])
})

test('with more contrast gray words have 7, and every line has 3', () => {
  const colors = { ...colorsIn(light), ...colorsIn(strong) }
  expect([...weak(colors, ['text-dim'], backgrounds, 7), ...weak(colors, ['line', 'hairline', 'field'], backgrounds, 3)]).toEqual([])
})
