import { expect, test } from 'vitest'
import { cleanFileName } from './file-name.ts'

test('a name keeps its dots within, loses those at its ends, and is read in no time however many it has', () => {
  expect(cleanFileName('..\\folder/ . a..b .jpg. .', 200)).toBe('a..b .jpg')
  const start = performance.now()
  expect(cleanFileName(`a${'.'.repeat(70_000)}b`, 20)).toBe(`a${'.'.repeat(17)}.b`)
  expect(performance.now() - start).toBeLessThan(500)
})
