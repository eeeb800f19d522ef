import { afterEach, expect, test } from 'vitest'
import { forgetPlaces, keepPlaces, keptPlaces, placed } from './workflow-places.ts'

afterEach(() => localStorage.clear())

const layout = new Map([
  [1, { x: 0, y: 10 }],
  [2, { x: 200, y: 10 }],
  [3, { x: 400, y: 60 }],
])

test('a picture is kept for each project and width, and forgotten', () => {
  const dragged = new Map([[1, { x: 12.4, y: -7.6 }]])
  keepPlaces(5, false, dragged)
  expect(keptPlaces(5, false)).toEqual(new Map([[1, { x: 12.4, y: -7.6 }]]))
  expect(keptPlaces(5, true)).toEqual(new Map())
  expect(keptPlaces(6, false)).toEqual(new Map())
  forgetPlaces(5, false)
  expect(keptPlaces(5, false)).toEqual(new Map())
})

test('invalid stored data is ignored', () => {
  for (const text of ['{', '{}', 'null', '7', '[[1,"x",2],[2,3]]', '[null]']) {
    localStorage.setItem('tessera.workflow.5', text)
    expect(keptPlaces(5, false), text).toEqual(new Map())
  }
})

test('states that were dragged stay, new ones stand below them, deleted ones are not missed', () => {
  expect(placed(layout, new Map(), 100)).toEqual(layout)
  expect(placed(layout, new Map([[9, { x: 1, y: 1 }]]), 100)).toEqual(layout)
  const kept = new Map([
    [1, { x: 50, y: 300 }],
    [9, { x: 0, y: 9000 }],
  ])
  expect(placed(layout, kept, 100)).toEqual(
    new Map([
      [1, { x: 50, y: 300 }],
      [2, { x: 200, y: 400 }],
      [3, { x: 400, y: 450 }],
    ]),
  )
})
