import { expect, test } from 'vitest'
import { columnOrder } from '../columns/column-order.ts'
import { rank, readCursor, sortKey, writeCursor } from './group-order.ts'

const names = {
  templates: new Map([
    [1, 'task'],
    [2, 'Bug'],
  ]),
  states: new Map([
    [11, { position: 4, phase: 1 as const }],
    [12, { position: 2, phase: 2 as const }],
    [13, { position: 0, phase: 2 as const }],
  ]),
}
const groups = [1, 2].flatMap(templateId => [11, 12, 13].map(stateId => ({ templateId, stateId })))

test('groups are ranked by type ignoring case and by the order of states; equal ones share a rank', () => {
  const byType = columnOrder([{ Column: 'Type', Direction: 'asc' }])
  expect(rank(byType, names, groups).groups.map(group => [group.templateId, group.rank])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  const byBoth = columnOrder([
    { Column: 'Phase', Direction: 'desc' },
    { Column: 'State', Direction: 'asc' },
  ])
  const ranked = rank(byBoth, names, groups)
  expect(ranked.groups.map(group => [group.stateId, group.rank])).toEqual([
    [13, 1],
    [13, 1],
    [12, 2],
    [12, 2],
    [11, 3],
    [11, 3],
  ])
  expect(ranked.from).toEqual({ rank: 0, id: 0 })
})

test('a cursor continues where it was, also when its state has no tickets left', () => {
  const order = columnOrder([{ Column: 'State', Direction: 'asc' }])
  const cursor = writeCursor(order, { key: sortKey(order, names, 1, 12), id: 42 })
  const after = readCursor(order, cursor)
  expect(after).toEqual({ key: [2], id: 42 })
  expect(rank(order, names, groups, after).from).toEqual({ rank: 2, id: 42 })
  const left = groups.filter(({ stateId }) => stateId !== 12)
  // Nothing of the first state again, all of the last.
  expect(rank(order, names, left, after).from).toEqual({ rank: 1, id: 0 })
  const descending = columnOrder([
    { Column: 'State', Direction: 'desc' },
    { Column: 'ID', Direction: 'asc' },
  ])
  expect(rank(descending, names, left, after).from).toEqual({ rank: 1, id: Number.MAX_SAFE_INTEGER })
})

test('a cursor of another order, or a malformed one, is refused', () => {
  const order = columnOrder([{ Column: 'State', Direction: 'asc' }])
  const wrong = [
    '',
    'x',
    writeCursor(columnOrder(), { key: [], id: 1 }),
    writeCursor(columnOrder([{ Column: 'State', Direction: 'desc' }]), { key: [1], id: 1 }),
    ...[
      ['State.asc,ID.desc'],
      ['State.asc,ID.desc', ['a'], 1],
      ['State.asc,ID.desc', [1], 0],
      ['State.asc,ID.desc', [1], 1, 2],
      null,
      {},
    ].map(value => Buffer.from(JSON.stringify(value)).toString('base64url')),
  ]
  for (const cursor of wrong) expect(() => readCursor(order, cursor), cursor).toThrow('Cursor is not a cursor of this list')
})
