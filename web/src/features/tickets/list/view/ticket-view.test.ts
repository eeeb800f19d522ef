import { expect, test } from 'vitest'
import { keepColumns, keptColumns } from './kept-columns.ts'
import { isFiltered, plainView, readView, type SortSlot, type TicketView, viewRequest, writeView } from './ticket-view.ts'
import { changedView, cycleSort, presets } from './view-changes.ts'

const full: TicketView = {
  query: 'note:"a & b" or -label:x',
  layout: 'list',
  group: 'size',
  id: 'TIM-1',
  title: 'engine & more',
  types: [3, 1],
  phases: [1, 2],
  states: [9],
  subordinates: [3],
  labels: [4, 2],
  mine: true,
  sort: [
    { Column: 'State', Direction: 'desc' },
    { Column: 'ID', Direction: 'asc' },
  ],
  columns: ['Labels', 'days'],
  open: [7, 8],
  saved: 12,
}

test('a view can be read back from the address, and other parameters of the address are kept [3.25]', () => {
  const search = writeView(new URLSearchParams('tab=history&type=99'), full)
  expect(search.get('tab')).toBe('history')
  expect(readView(new URLSearchParams(search.toString()))).toEqual(full)
  expect(writeView(search, plainView).toString()).toBe('tab=history')
})

test('an address from elsewhere is read as far as it makes sense', () => {
  const search = new URLSearchParams('phase=2,7,2,x&type=-1,0,1e99,5&sort=ID.up,ID.asc,ID.desc,Color.asc&mine=yes&layout=pie&group=a%20b')
  expect(readView(search)).toEqual({ ...plainView, phases: [2], types: [5], sort: [{ Column: 'ID', Direction: 'asc' }] })
  // A timeline is grouped by two fields.
  const groupOf = (group: string) => readView(new URLSearchParams({ layout: 'timeline', group })).group
  expect(['start..due', 'due', 'start..', 'a..b..c', 'a.b'].map(groupOf)).toEqual(['start..due', 'due', '', '', ''])
})

test('a sort icon cycles none, ascending, descending, and the slots keep the order of clicking [9.4]', () => {
  let sort: SortSlot[] = []
  const shown = () => sort.map(({ Column, Direction }) => `${Column} ${Direction}`)
  sort = cycleSort(sort, 'Phase')
  sort = cycleSort(sort, 'ID')
  expect(shown()).toEqual(['Phase asc', 'ID asc'])
  sort = cycleSort(sort, 'Phase')
  expect(shown()).toEqual(['Phase desc', 'ID asc'])
  sort = cycleSort(sort, 'Phase')
  expect(shown()).toEqual(['ID asc'])
})

test('the views set phase and My Tickets and leave the rest; Clear filters resets everything [4.16] [4.17]', () => {
  const shown = presets.map(({ label, apply }) => [label, apply(full)] as const)
  expect(Object.fromEntries(shown)).toEqual({
    'Clear filters': { ...plainView, layout: 'list', group: 'size', columns: full.columns },
    'My active tickets': { ...full, phases: [2], mine: true },
    'Active tickets': { ...full, phases: [2], mine: false },
    'My proposed tickets': { ...full, phases: [1], mine: true },
    'Proposed tickets': { ...full, phases: [1], mine: false },
  })
})

test('the request carries only what is set; blank text is no filter', () => {
  expect(viewRequest({ ...plainView, title: '  ', open: [3] })).toEqual({})
  expect(isFiltered({ ...plainView, title: '  ', sort: full.sort })).toBe(false)
  expect(isFiltered({ ...plainView, mine: true })).toBe(true)
  expect(viewRequest({ ...plainView, layout: 'list' })).toEqual({ Phases: [1, 2, 3] })
  expect(viewRequest({ ...plainView, layout: 'calendar', group: 'due' })).toEqual({ Phases: [1, 2, 3] })
  expect(viewRequest({ ...plainView, layout: 'timeline', group: 'start..due' })).toEqual({ Phases: [1, 2, 3] })
  expect(viewRequest({ ...plainView, layout: 'list', mine: true })).toEqual({ Mine: 1 })
  expect(viewRequest(full)).toEqual({
    Query: full.query,
    Zone: expect.stringMatching(/^[A-Z]/),
    Id: 'TIM-1',
    Title: 'engine & more',
    Types: [3, 1],
    Phases: [1, 2],
    States: [9],
    Subordinates: [3],
    Labels: [4, 2],
    Mine: 1,
    Group: 'size',
    Sort: full.sort,
    Columns: ['Labels', 'days'],
  })
})

test('other filters close the rows; another order keeps them open', () => {
  expect(changedView(full, { sort: [] }).open).toEqual([7, 8])
  expect(changedView(full, { title: ' engine & more ' }).open).toEqual([7, 8])
  expect(changedView(full, { title: 'other' }).open).toEqual([])
  expect(changedView(full, view => ({ ...view, open: [7] })).open).toEqual([7])
})

test('columns come from the address, else from what the person chose for the project; only shown ones sort', () => {
  keepColumns(5, 1, ['Updated', 'days'])
  expect(readView(new URLSearchParams('sort=days.desc,Labels.asc'), keptColumns(1, 5))).toMatchObject({
    columns: ['Updated', 'days'],
    sort: [{ Column: 'days', Direction: 'desc' }],
  })
  expect(readView(new URLSearchParams('columns=Parent,a%20b,Parent'), keptColumns(1, 5)).columns).toEqual(['Parent'])
  expect(readView(new URLSearchParams('columns='), keptColumns(1, 5)).columns).toEqual([])
  // Before it is known who is here, of whoever chose some; another person has their own.
  expect([keptColumns(1), keptColumns(1, 6), keptColumns(2)]).toEqual([['Updated', 'days'], [], []])
  keepColumns(5, 1, [])
  expect(keptColumns(1)).toEqual([])
})

test('a title in the address may be as long as the server takes, counted as it counts', () => {
  const title = '😀'.repeat(500)
  expect(readView(new URLSearchParams({ title: `${title}😀` })).title).toBe(title)
})
