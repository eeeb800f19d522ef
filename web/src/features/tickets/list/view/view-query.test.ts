import { expect, test } from 'vitest'
import { plainView } from './ticket-view.ts'
import { printView } from './view-query.ts'

const names = {
  types: new Map([[3, 'Bug']]),
  states: new Map([[9, 'In "progress"']]),
  labels: new Map([
    [4, 'ui'],
    [5, 'active'],
  ]),
}

test('filters and query are one query', () => {
  const view = {
    ...plainView,
    query: 'boat or ship sort:-due',
    id: 'OPS-1',
    title: ' red "boat" ',
    types: [3, 77],
    phases: [1, 2] as [1, 2],
    states: [9],
    subordinates: [2] as [2],
    labels: [4, 5],
    mine: true,
    sort: [
      { Column: 'State', Direction: 'desc' as const },
      { Column: 'Labels', Direction: 'asc' as const },
      { Column: 'Cost', Direction: 'asc' as const },
    ],
  }
  const filters =
    '(boat or ship) id:"*OPS-1*" title:"*red \\"boat\\"*" type:"Bug" phase:proposed,active state:"In \\"progress\\"" has:active-children label:"ui","active" is:mine'
  expect(printView(view, names)).toBe(`${filters} sort:-due`)
  expect(printView(plainView, names)).toBe('')
  expect(printView({ ...plainView, query: 'a b', mine: true }, names)).toBe('a b is:mine')
})
