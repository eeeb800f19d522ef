import { expect, test } from 'vitest'
import { reuseSlots } from './row-slots.ts'

const slotsOf = (...keys: string[]) => new Map(keys.map((key, slot) => [key, slot]))

test('a row keeps its element while it is in sight, and what comes into sight gets one of its own', () => {
  expect([...reuseSlots(slotsOf('1', '2', '3'), ['2', '3', '4'], undefined, 1)]).toEqual([
    ['2', 1],
    ['3', 2],
    ['4', 3],
  ])
  expect([...reuseSlots(slotsOf('4', '5', '6'), ['3', '4', '5'], undefined, 1)]).toEqual([
    ['3', 3],
    ['4', 0],
    ['5', 1],
  ])
})

test('after a jump the elements are reused in their order', () => {
  expect([...reuseSlots(slotsOf('1', '2', '3'), ['7', '8', '9', '10'], undefined, 1)]).toEqual([
    ['7', 0],
    ['8', 1],
    ['9', 2],
    ['10', 3],
  ])
  expect([...reuseSlots(slotsOf('1', '2', '3'), ['3', '4'], undefined, 1)]).toEqual([
    ['3', 0],
    ['4', 1],
  ])
})

test('the element of the row that may have the focus never shows another row', () => {
  expect([...reuseSlots(slotsOf('1', '2', '3'), ['7', '8'], '2', 1).values()]).toEqual([3, 4])
  expect(reuseSlots(slotsOf('1', '2', '3'), ['3', '4'], '3', 1).get('3')).toBe(2)
})
