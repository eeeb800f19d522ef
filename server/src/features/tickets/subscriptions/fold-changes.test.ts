import { expect, test } from 'vitest'
import { type AuthoredChange, foldChanges } from './fold-changes.ts'

const change = (author: number, field: AuthoredChange['field'], before: string | null, after: string | null) => ({
  author,
  field,
  before,
  after,
})

test('a field or comment changed several times is mailed once, from its first value to its last; a reverted change is not mailed', () => {
  const changes = [
    change(1, 'Title', 'a', 'b'),
    change(1, 'Type', '7', '8'),
    change(1, 'State', '1', '2'),
    change(2, 'Title', 'b', 'c'),
    change(1, 'State', '2', '1'),
    change(1, 'Type', '8', '9'),
    change(1, 'Comment', null, '1.1'),
    change(1, 'Comment', null, '2.1'),
    change(1, 'Comment', '1.1', '1.2'),
  ]
  expect(foldChanges(changes)).toEqual([
    change(2, 'Title', 'a', 'c'),
    change(1, 'Type', '7', '9'),
    change(1, 'Comment', null, '1.2'),
    change(1, 'Comment', null, '2.1'),
  ])
  expect(changes[0]).toEqual(change(1, 'Title', 'a', 'b'))
})
