import { expect, test } from 'vitest'
import { bestMatches } from './best-matches.ts'

const matches = (items: string[], typed: string) => bestMatches(items, item => item, typed)

test('what equals the typed text comes first, then what begins with it, then a word that does', () => {
  expect(matches(['debugger-ios', 'qe-ios100112', 'ios10', 'ios', 'axios', 'alloy'], 'ios')).toEqual([
    'ios',
    'ios10',
    'debugger-ios',
    'qe-ios100112',
    'axios',
  ])
})

test('accents and the order of words do not count', () => {
  expect(matches(['Priya Raman', 'Tomasz Zieliński'], 'zielinski tom')).toEqual(['Tomasz Zieliński'])
})

test('while nothing is typed, all items are in their order', () => {
  expect(matches(['b', 'a'], ' ')).toEqual(['b', 'a'])
})
