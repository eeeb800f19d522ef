import fc from 'fast-check'
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

test('a label or role that was added and then replaced is mailed as the other one, or not at all if that was removed', () => {
  const [old, other] = [labelReference(7, 'old'), labelReference(8, 'other')]
  const replaced = { ...change(2, 'Label', old, other), quiet: true }
  const added = change(1, 'Label', null, old)
  expect(foldChanges([added, replaced])).toEqual([change(1, 'Label', null, other)])
  expect(foldChanges([added, replaced, change(2, 'Label', other, null)])).toEqual([])
  expect(foldChanges([replaced, change(2, 'Label', other, null)])).toMatchObject([change(2, 'Label', old, null)])
  expect(foldChanges([change(1, 'Assignee', null, 'tester'), change(2, 'Assignee', 'tester', 'reviewer')])).toEqual([
    change(2, 'Assignee', null, 'reviewer'),
  ])
})

test('what is mailed about people adds up to what was changed, also when roles replaced each other', () => {
  const person = fc.constantFrom('ann', 'bob', 'cid')
  const step = fc.record({ kind: fc.constantFrom('add', 'remove', 'replace'), one: person, other: person })
  fc.assert(
    fc.property(fc.subarray(['ann', 'bob', 'cid']), fc.array(step, { maxLength: 8 }), (present, steps) => {
      const now = new Set(present)
      const changes: AuthoredChange[] = []
      const make = (before: string | null, after: string | null) => {
        changes.push(change(1, 'Assignee', before, after))
        if (before) now.delete(before)
        if (after) now.add(after)
      }
      for (const { kind, one, other } of steps) {
        if (kind === 'add' && !now.has(one)) make(null, one)
        if (kind === 'remove' && now.has(one)) make(one, null)
        if (kind === 'replace' && one !== other && now.has(one)) make(one, now.has(other) ? null : other)
      }
      const mailed = foldChanges(changes)
      for (const each of ['ann', 'bob', 'cid']) {
        const added = mailed.filter(({ after }) => after === each).length - mailed.filter(({ before }) => before === each).length
        expect([each, added]).toEqual([each, Number(now.has(each)) - Number(present.includes(each))])
      }
    }),
    { numRuns: 2000, seed: 5 },
  )
})
