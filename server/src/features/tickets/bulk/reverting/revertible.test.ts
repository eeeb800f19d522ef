import { expect, test } from 'vitest'
import { neededBy } from './revertible.ts'

test('what a revert needs is found for more tickets than a call may have arguments', () => {
  const tickets = Array.from({ length: 200_000 }, () => [{ field: 'Label' as const, before: null, after: '{"idLabel":7}' }])
  expect(neededBy([...tickets, [{ field: 'Trash', before: null, after: '1' }]])).toEqual({
    Labels: [{ idLabel: 7, Enabled: 0 }],
    Trash: 1,
  })
})
