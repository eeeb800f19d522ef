import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { type Bar, barName, barOf, barWords, carried, inOrder, isInSight, placeOf, refusalOf, valuesOf } from './bar.ts'
import { conflictsOf, shownLinks } from './conflicts.ts'

const window = { from: '2026-11-02', to: '2026-11-15', count: 14 }
const bar = (start: string, end: string): Bar => ({ start: start && `2026-11-${start}`, end: end && `2026-11-${end}` })
const field = (key: string) => ({ id: 1, key, label: key, name: key, isDue: false, isArchived: false })
const fields = { start: field('begin'), end: field('due') }
const ticket = (id: number, { start, end }: Bar, more: object = {}) =>
  ({ id, pcode: 'OPS', Phase: 1, Values: { begin: start, due: end }, ...more }) as unknown as QueriedTicket

test('a bar goes from its first to its last day, and is cut where it goes out of sight', () => {
  const drawn = (one: Bar) => {
    const place = placeOf(one, window)
    return place && [place.at, place.days, place.isPoint, place.isCutBefore, place.isCutAfter]
  }
  expect(drawn(bar('03', '05'))).toEqual([1, 3, false, false, false])
  expect(drawn({ start: '2026-10-01', end: '2027-01-01' })).toEqual([0, 14, false, true, true])
  expect(drawn(bar('02', '02'))).toEqual([0, 1, false, false, false])
  expect(drawn(bar('15', ''))).toEqual([13, 1, true, false, false])
  expect(drawn(bar('', '04'))).toEqual([2, 1, true, false, false])
  // It ends before it starts.
  expect(drawn(bar('09', '05'))).toEqual([3, 5, false, false, false])
  expect([drawn(bar('16', '')), drawn(bar('', '01')), drawn(bar('', ''))]).toEqual([undefined, undefined, undefined])
})

test('days are in words', () => {
  expect([bar('03', '09'), bar('03', '03'), bar('03', ''), bar('', '09'), bar('09', '03')].map(barWords)).toEqual([
    'Nov 3 – 9, 2026',
    'Nov 3, 2026',
    'From Nov 3, 2026',
    'Until Nov 9, 2026',
    'Nov 9, 2026 – Nov 3, 2026',
  ])
  expect(barName(bar('', '09'))).toBe('Nov 9, 2026')
})

test('a bar is carried as a whole or by one end, which begins at the other one where it has none', () => {
  expect(carried({ start: '2026-11-30', end: '2026-12-31' }, 'bar', 1)).toEqual({ start: '2026-12-01', end: '2027-01-01' })
  expect(carried(bar('03', '05'), 'start', -1)).toEqual(bar('02', '05'))
  expect(carried(bar('03', '05'), 'end', 7)).toEqual(bar('03', '12'))
  expect(carried(bar('', '05'), 'bar', 1)).toEqual(bar('', '06'))
  expect(carried(bar('', '05'), 'start', -2)).toEqual(bar('03', '05'))
  expect(carried(bar('03', ''), 'end', 2)).toEqual(bar('03', '05'))
  expect(refusalOf(ticket(7, bar('03', '05')), bar('06', '05'))).toBe('OPS-7 would end before it starts')
  expect([bar('05', '05'), bar('05', ''), bar('', '05')].map(one => refusalOf(ticket(7, one), one))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([isInSight(bar('01', '02'), window), isInSight(bar('', '01'), window), isInSight(bar('16', '17'), window)]).toEqual([
    true,
    false,
    false,
  ])
})

test('a text that is no day is none', () => {
  expect(barOf(ticket(1, { start: 'soon', end: '2026-11-09' }), fields)).toEqual(bar('', '09'))
  expect(barOf(ticket(1, { start: '2026-11-31', end: '2026-11-09' }), fields)).toEqual(bar('', '09'))
  expect(barOf(ticket(1, bar('03', ''), { Values: undefined }), fields)).toEqual(bar('', ''))
})

test('only fields that have or had a day are saved', () => {
  expect(valuesOf(bar('04', '06'), bar('03', '05'), fields)).toEqual({ begin: '2026-11-04', due: '2026-11-06' })
  expect(valuesOf(bar('', '06'), bar('', '05'), fields)).toEqual({ due: '2026-11-06' })
  expect(valuesOf(bar('', '05'), bar('03', '05'), fields)).toEqual({ begin: '', due: '2026-11-05' })
})

test('tickets are in the order of their starts, then of their ends', () => {
  const tickets = [
    ticket(1, bar('05', '09')),
    ticket(2, bar('', '03')),
    ticket(3, bar('05', '06')),
    ticket(5, bar('04', '')),
    ticket(4, bar('04', '')),
  ]
  expect(inOrder(tickets, fields).map(({ id }) => id)).toEqual([2, 4, 5, 3, 1])
})

test('a link is a conflict where the first ticket ends after the second one starts and both are open', () => {
  const conflict = (before: Bar, after: Bar, phases = [1, 2]) => {
    const rows = [
      { ticket: ticket(7, before, { Phase: phases[0] }), bar: before },
      { ticket: ticket(9, after, { Phase: phases[1] }), bar: after },
    ]
    return shownLinks([{ idFrom: 7, idTo: 9, Kind: 'blocks' }], rows)[0]?.conflict
  }
  const words = 'OPS-7 ends after OPS-9 starts'
  expect(conflict(bar('03', '06'), bar('05', '09'))).toBe(words)
  expect(conflict(bar('03', '05'), bar('05', '09'))).toBeUndefined()
  expect(conflict(bar('06', ''), bar('', '05'))).toBe(words)
  expect(conflict(bar('03', '06'), bar('05', '09'), [3, 1])).toBeUndefined()
  expect(conflict(bar('03', '06'), bar('05', '09'), [1, 3])).toBeUndefined()
})

test('a pair of tickets has one arrow, and a conflict is told at both ends', () => {
  const rows = [7, 8, 9].map((id, index) => ({ ticket: ticket(id, bar('05', '06')), bar: index === 1 ? bar('03', '04') : bar('05', '06') }))
  const links = shownLinks(
    [
      { idFrom: 7, idTo: 8, Kind: 'blocks' },
      { idFrom: 7, idTo: 8, Kind: 'precedes' },
      { idFrom: 8, idTo: 9, Kind: 'precedes' },
      { idFrom: 8, idTo: 1, Kind: 'blocks' },
    ],
    rows,
  )
  expect(links.map(({ from, to, conflict }) => [from, to, conflict])).toEqual([
    [0, 1, 'OPS-7 ends after OPS-8 starts'],
    [1, 2, undefined],
  ])
  const told = conflictsOf(links)
  expect([told.get(7)?.isOwn, told.get(8)?.isOwn, told.has(9)]).toEqual([false, true, false])
  expect(told.get(8)?.words).toEqual(['OPS-7 ends after OPS-8 starts'])
})
