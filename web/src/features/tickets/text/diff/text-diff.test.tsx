import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { TextDiff } from './text-diff.tsx'

afterEach(cleanup)

function shown(before: string, after: string) {
  const { container } = render(<TextDiff before={before} after={after} />)
  return [...container.querySelectorAll('ins, del, span')].map(part => `${part.localName} ${part.textContent}`)
}

test('a text is compared by words, a rewritten or a long one by lines', () => {
  expect(shown('one two three', 'one 2 three')).toEqual(['span one ', 'del two', 'ins 2', 'span  three'])
  const rewritten = (word: string) => Array.from({ length: 300 }, (_, index) => `${word}${index}`).join(' ')
  expect(shown(`first\n${rewritten('a')}\nlast`, `first\n${rewritten('b')}\nlast`)).toEqual([
    'span first\n',
    `del ${rewritten('a')}\n`,
    `ins ${rewritten('b')}\n`,
    'span last',
  ])
  const long = 'x'.repeat(20_000)
  expect(shown(`${long}\none two`, `${long}\none 2`).slice(1)).toEqual(['del one two', 'ins one 2'])
})

test('two texts whose comparison would keep the browser busy are shown whole, whichever they are', () => {
  // Of few words in no order, so that every other one is the same in both.
  const random = (seed: number, separator: string, count: number) =>
    Array.from({ length: count }, (_, index) => 'ab'[Math.floor(Math.abs(Math.sin(index * seed)) * 1e4) % 2]).join(separator)
  for (const [separator, count] of [
    [' ', 5000],
    ['\n', 5000],
    ['\n', 32_000],
  ] as const) {
    const [before, after] = [random(7, separator, count), random(11, separator, count)]
    expect(shown(before, after)).toEqual([`del ${before}`, `ins ${after}`])
  }
  // As it is for a change in texts of so many lines.
  const lines = 'a\n'.repeat(6000)
  expect(shown(`${lines}b`, `${lines}c`)).toEqual([`del ${lines}b`, `ins ${lines}c`])
})
