import { expect, test } from 'vitest'
import { fitted, placed, placeOf, stepped } from './arrange.ts'

const lists = { form: [1, 2], available: [3, 4, 5] }

test('an id goes to its new place and leaves the old one', () => {
  expect(placed(lists, 3, { list: 'form', index: 1 })).toEqual({ form: [1, 3, 2], available: [4, 5] })
  expect(placed(lists, 3, { list: 'available', index: 2 })).toEqual({ form: [1, 2], available: [4, 5, 3] })
  expect(lists).toEqual({ form: [1, 2], available: [3, 4, 5] })
  expect(placeOf(lists, 5)).toEqual({ list: 'available', index: 2 })
  expect(placeOf(lists, 9)).toBeUndefined()
})

test('arrows go one place, stop at the ends and cross to the place beside', () => {
  expect(stepped(lists, 4, 'ArrowUp')).toEqual({ list: 'available', index: 0 })
  expect(stepped(lists, 4, 'ArrowDown')).toEqual({ list: 'available', index: 2 })
  expect(stepped(lists, 3, 'ArrowUp')).toBeUndefined()
  expect(stepped(lists, 5, 'ArrowDown')).toBeUndefined()
  expect(stepped(lists, 3, 'ArrowLeft')).toEqual({ list: 'form', index: 0 })
  expect(stepped(lists, 5, 'ArrowLeft')).toEqual({ list: 'form', index: 2 })
  expect(stepped(lists, 5, 'ArrowRight')).toBeUndefined()
  expect(stepped({ rows: [1, 2] }, 1, 'ArrowLeft')).toBeUndefined()
})

test('a chosen order survives items that others add and remove meanwhile', () => {
  expect(fitted({ form: [3, 1], available: [5, 4, 2] }, { form: [1, 2, 6], available: [4, 5, 7] })).toEqual({
    form: [1, 6],
    available: [5, 4, 2, 7],
  })
})
