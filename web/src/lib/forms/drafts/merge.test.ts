import { expect, test } from 'vitest'
import { mergeLists } from './merge.ts'

const merge = (read: string, mine: string, theirs: string) => mergeLists([...read], [...mine], [...theirs], letter => letter).join('')

test.each([
  ['what they added stays', 'abc', 'abc', 'abcd', 'abcd'],
  ['what I added stays', 'abc', 'abcx', 'abc', 'abcx'],
  ['what both added is there once', 'abc', 'abcx', 'abcdx', 'abcdx'],
  ['what either removed is gone', 'abc', 'ab', 'bc', 'b'],
  ['their order stays', 'abc', 'abcx', 'cab', 'cabx'],
  ['my order stays', 'abc', 'cba', 'abcd', 'cbad'],
])('%s', (_what, read, mine, theirs, wanted) => {
  expect(merge(read, mine, theirs)).toBe(wanted)
})

test('a member that only one side changed keeps that change; one that both changed is mine', () => {
  const [high, low] = [
    { value: 'h', label: 'High' },
    { value: 'l', label: 'Low' },
  ]
  const mine = [{ ...high, label: 'My high' }, low]
  const theirs = [
    { ...high, label: 'Their high' },
    { ...low, label: 'Their low' },
  ]
  expect(mergeLists([high, low], mine, theirs, ({ value }) => value)).toEqual([mine[0], theirs[1]])
})
