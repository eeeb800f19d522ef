import { expect, test } from 'vitest'
import { neededGroups } from './filters.ts'

test('a page of a list that begins with the state, phase or type needs the tickets of the next groups only', () => {
  const names = {
    templates: new Map([[7, 'Task'] as const, [8, 'Bug'] as const]),
    states: new Map(([1, 2, 3] as const).map(phase => [10 + phase, { position: phase - 1, phase }] as const)),
  }
  const counted = [11, 12, 13].map(stateId => ({ templateId: stateId === 13 ? 8 : 7, stateId, root: true, tickets: 200 }))
  const needed = (Column: string, Direction: 'asc' | 'desc', after?: string | null) =>
    neededGroups({ Column, Direction }, { names, limit: 100 }, counted, after === undefined ? undefined : { keys: [after], id: 1 })
  expect(needed('State', 'asc')).toEqual({ column: 'state_id', ids: [11] })
  expect(needed('Phase', 'desc')).toEqual({ column: 'state_id', ids: [13] })
  expect(needed('Type', 'asc')).toEqual({ column: 'template_id', ids: [8] })
  // How many tickets of the cursor's own group are left is not known.
  expect(needed('State', 'asc', '0')).toEqual({ column: 'state_id', ids: [11, 12] })
  expect(needed('State', 'asc', '1')).toEqual({ column: 'state_id', ids: [12, 13] })
  // Nothing that is counted follows.
  expect(needed('State', 'asc', '2')).toBeUndefined()
  expect(needed('State', 'asc', null)).toBeUndefined()
  expect(needed('Updated', 'asc')).toBeUndefined()
  // A state between that had no ticket when they were counted is read too: a ticket may have entered it since.
  counted.splice(1, 1)
  expect(needed('State', 'asc', '0')).toEqual({ column: 'state_id', ids: [11, 12, 13] })
  expect(needed('State', 'desc', '2')).toEqual({ column: 'state_id', ids: [11, 12, 13] })
})
