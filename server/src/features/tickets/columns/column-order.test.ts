import { expect, test } from 'vitest'
import { columnOrder } from './column-order.ts'

test('a list is ordered by each column once, and by nothing after ID', () => {
  expect(columnOrder()).toEqual({ columns: [], id: 'desc' })
  expect(
    columnOrder([
      { Column: 'State', Direction: 'desc' },
      { Column: 'State', Direction: 'asc' },
      { Column: 'ID', Direction: 'asc' },
      { Column: 'Type', Direction: 'asc' },
    ]),
  ).toEqual({ columns: [{ Column: 'State', Direction: 'desc' }], id: 'asc' })
})
