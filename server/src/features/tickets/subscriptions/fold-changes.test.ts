import { expect, test } from 'vitest'
import { labelReference } from '../history/stored-values.ts'
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

test('a person, label, link or file that was added and removed again is not mailed', () => {
  const quietly = (...parts: Parameters<typeof change>) => ({ ...change(...parts), quiet: true })
  const people = [change(1, 'Assignee', null, 'ann'), change(1, 'Assignee', null, 'bob'), change(2, 'Assignee', 'ann', null)]
  expect(foldChanges(people)).toEqual([change(1, 'Assignee', null, 'bob')])
  expect(foldChanges([change(1, 'Link', 'x', null), change(1, 'Link', null, 'x')])).toEqual([])
  // A label that was deleted takes the mail about it along; by itself its deletion is in no mail.
  expect(
    foldChanges([
      change(1, 'Label', null, labelReference(7, 'new')),
      quietly(2, 'Label', labelReference(7, 'renamed'), null),
      quietly(2, 'Label', labelReference(8, 'old'), null),
    ]),
  ).toEqual([])
  const upload = change(1, 'Attachment', null, 'a.jpg')
  expect(foldChanges([upload, quietly(1, 'Attachment', 'a.jpg', null)])).toEqual([])
  expect(foldChanges([upload, upload, quietly(1, 'Attachment', 'a.jpg', null)])).toEqual([upload])
  expect(foldChanges([quietly(1, 'Attachment', 'a.jpg', null), upload])).toEqual([upload])
})
