import { expect, test } from 'vitest'
import { type Entry, isKey, matching } from './matching.ts'

const entry = (label: string, more: Partial<Entry> = {}): Entry => ({ id: label, label, run: () => undefined, ...more })
const entries = [
  entry('Add a ticket', { words: 'new create' }),
  entry('Move to the trash…', { refused: 'Needs the permission Delete tickets' }),
  entry('Move…'),
  entry('Café of tests', { detail: 'OPS' }),
  entry('Change the state'),
]
const found = (text: string) => matching(entries, text).map(({ label }) => label)

test('all words must be there, in any order; the beginning counts more, what is refused comes last', () => {
  expect(found('')).toEqual(['Add a ticket', 'Move…', 'Café of tests', 'Change the state', 'Move to the trash…'])
  expect(found('ticket ADD')).toEqual(['Add a ticket'])
  expect(found('new ticket')).toEqual(['Add a ticket'])
  expect(found('mo')).toEqual(['Move…', 'Move to the trash…'])
  expect(found('t')).toEqual(['Add a ticket', 'Café of tests', 'Change the state', 'Move to the trash…'])
  expect(found('the')).toEqual(['Change the state', 'Move to the trash…'])
  expect(found('cafe ops')).toEqual(['Café of tests'])
  expect(found('nothing')).toEqual([])
})

test('texts that look like a ticket’s key', () => {
  for (const key of ['OPS-42', 'ops42', ' 42 ', 'A_1-7']) expect([key, isKey(key)]).toEqual([key, true])
  for (const other of ['', 'ops', 'ops-', '42 docks', 'v2.1', '-42']) expect([other, isKey(other)]).toEqual([other, false])
})
