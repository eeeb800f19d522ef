import { expect, test } from 'vitest'
import { withReaction } from './reactions.ts'

const comment = { idComment: 4, DateCreated: 1, Author: 'Sam', Comment: 'Hello', ChangeCount: 1 }
const heart = { Reaction: 'heart' as const, Users: ['Sam'], Mine: 0 as const }

test('a reaction is added and removed, once for each person', () => {
  const before = [{ ...comment, Reactions: [heart] }]
  const set = (comments: typeof before, Reaction: 'heart' | 'eyes', Enabled: 0 | 1) =>
    withReaction(comments, { idComment: 4, Reaction, Enabled }, 'Dana') as typeof before
  const both = set(set(before, 'heart', 1), 'eyes', 1)
  expect(both[0]?.Reactions).toEqual([
    { Reaction: 'heart', Users: ['Sam', 'Dana'], Mine: 1 },
    { Reaction: 'eyes', Users: ['Dana'], Mine: 1 },
  ])
  expect(set(both, 'eyes', 1)).toEqual(both)
  expect(set(set(both, 'eyes', 0), 'heart', 0)).toEqual(before)
})
