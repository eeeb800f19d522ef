import { limits } from '@tessera/contract/limits'
import { expect, test } from 'vitest'
import { currentSession } from '../../../../lib/session/session.tsx'
import { keepBoard } from '../../board/data/kept-board.ts'
import { plainView, readView, type TicketView, writeView } from '../view/ticket-view.ts'
import { contentOf } from './save-view-dialog.tsx'
import { isChanged, type SavedView, viewOfSaved } from './saved-view.ts'
import { withoutFields } from './without-fields.ts'

const saved: SavedView = {
  idView: 5,
  Name: 'Late boats',
  Query: 'boat (size:l or -cost:>5) sort:-Cost,id',
  Columns: ['size', 'Labels'],
  Sort: [
    { Column: 'cost', Direction: 'asc' },
    { Column: 'State', Direction: 'desc' },
  ],
  Group: 'size',
  Layout: 'list',
  Scope: 'project',
  Mine: 0,
  Default: 0,
}

test('a saved view is shown as it was saved, and what differs from it is a change', () => {
  const shown = viewOfSaved(saved)
  expect(shown).toEqual({
    ...plainView,
    query: saved.Query,
    layout: 'list',
    group: 'size',
    columns: ['size', 'Labels', 'cost'],
    sort: saved.Sort,
    saved: 5,
  })
  expect(isChanged({ ...shown, open: [7] }, saved)).toBe(false)
  expect(isChanged({ ...shown, mine: true }, saved)).toBe(true)
  expect(viewOfSaved({ ...saved, Open: [3, 4] }).open).toEqual([3, 4])
  expect(isChanged({ ...shown, columns: [] }, saved)).toBe(true)
})

test('a board is saved with its lanes, those that the person last chose unless the view says so', async () => {
  const board = viewOfSaved({ ...saved, Layout: 'board', Lanes: 1, Query: '' })
  expect([board.lanes, viewOfSaved({ ...saved, Layout: 'board' }).lanes, viewOfSaved(saved).lanes]).toEqual([1, 0, undefined])
  expect(isChanged({ ...board, lanes: 0 }, { ...saved, Layout: 'board', Lanes: 1, Query: '' })).toBe(true)
  keepBoard(currentSession().idUser, 1, 'size', { lanesBy: 'Label', columns: new Set(), lanes: new Set(), whole: new Set() })
  const lanesOf = async (lanes: TicketView['lanes']) => (await contentOf(1, { ...board, lanes })).Lanes
  expect([await lanesOf(undefined), await lanesOf(0), await lanesOf(1), await lanesOf('Assignee')]).toEqual(['Label', 0, 1, 'Assignee'])
  expect((await contentOf(1, { ...board, lanes: 1, layout: 'list' })).Lanes).toBe(0)
  for (const lanes of [1, 0, 'Assignee', 'Label', undefined] as const)
    expect(readView(writeView(new URLSearchParams(), { ...plainView, lanes })).lanes).toBe(lanes)
})

test('lanes do not mark a view as changed if it shows none, or if its address is older than lanes', () => {
  const list = viewOfSaved(saved)
  const boardView: SavedView = { ...saved, Layout: 'board', Query: '' }
  const board = viewOfSaved(boardView)
  // Seen as a board with lanes meanwhile, or once a board.
  for (const lanes of [1, 0, 'Label'] as const) expect(isChanged({ ...list, lanes }, saved)).toBe(false)
  // An address without `lanes` follows the person's last choice.
  expect(isChanged({ ...board, lanes: undefined }, boardView)).toBe(false)
  expect(isChanged({ ...board, lanes: 1 }, boardView)).toBe(true)
  expect(isChanged({ ...list, layout: 'board', lanes: undefined }, saved)).toBe(true)
})

test('a view keeps more columns than a screen shows when it is saved again', async () => {
  const Columns = Array.from({ length: 20 }, (_, index) => `field${index}`)
  const shown = viewOfSaved({ ...saved, Columns, Sort: [] })
  expect((await contentOf(1, shown)).Columns).toEqual(Columns)
})

test('a tree is saved with as many open tickets as a view may have; nothing is open in a list', async () => {
  const open = Array.from({ length: limits.openTickets + 1 }, (_, index) => index + 1)
  const openOf = async (layout: TicketView['layout']) => (await contentOf(1, { ...plainView, layout, open })).Open
  expect([await openOf('tree'), await openOf('list')]).toEqual([open.slice(0, -1), []])
})

test('parts that name a deleted field are left out, the rest stays', () => {
  const shown = viewOfSaved(saved)
  expect(withoutFields(shown, ['cost'])).toMatchObject({
    query: 'boat size:l sort:id',
    group: 'size',
    columns: ['size', 'Labels'],
    sort: [{ Column: 'State', Direction: 'desc' }],
  })
  expect(withoutFields(shown, ['Size', 'cost'])).toMatchObject({ query: 'boat sort:id', group: '', columns: ['Labels'] })
  expect(withoutFields({ ...shown, query: 'size:l' }, ['size']).query).toBe('')
  const groupWithout = (gone: string) => withoutFields({ ...shown, layout: 'timeline', group: 'start..due' }, [gone]).group
  expect([groupWithout('due'), groupWithout('start'), groupWithout('size')]).toEqual(['', '', 'start..due'])
})
