import { expect, test } from 'vitest'
import { readableOn } from './label-color.ts'

test('words on a color are black or white, whichever is easier to read', () => {
  expect(['#ffffff', '#ffeb3b', '#9e9e9e', '#00ff00'].map(readableOn)).toEqual(['#000000', '#000000', '#000000', '#000000'])
  expect(['#000000', '#0000ff', '#b42318', '#455a64', '#4f46e5'].map(readableOn)).toEqual(Array(5).fill('#ffffff'))
})
