import { permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import type { TicketRow } from '../list/tree/rows.ts'
import { clearSelection, selectionOf, selectTickets } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useListSelection } from './use-list-selection.ts'

afterEach(() => {
  cleanup()
  clearSelection(1)
})

test('while no row has had the focus, x selects the first ticket, also below a heading', async () => {
  const ticket = { id: 20 } as QueriedTicket
  const rows: TicketRow[] = [
    { kind: 'group', key: 'group', depth: 0, label: 'Open', phase: 1, total: 1 },
    { kind: 'ticket', key: '20', depth: 0, ticket, isOpen: false },
  ]
  renderHook(() => useListSelection({ idProject: 1, rows, current: undefined, isOfTicket: false }))
  await userEvent.keyboard('x')
  expect([...selectionOf(1).ids]).toEqual([20])
})

test.each([
  { what: 'rests on it selects it', pointerType: 'touch', meanwhile: [], after: 500, selected: [20] },
  { what: 'taps it does not', pointerType: 'touch', meanwhile: [], after: 100, selected: [] },
  { what: 'moves on does not', pointerType: 'touch', meanwhile: ['pointermove'], after: 500, selected: [] },
  { what: 'the browser takes for scrolling does not', pointerType: 'touch', meanwhile: ['pointercancel'], after: 500, selected: [] },
  { what: 'is a mouse does not', pointerType: 'mouse', meanwhile: [], after: 500, selected: [] },
])('a finger on a row that $what', ({ pointerType, meanwhile, after, selected }) => {
  const rows: TicketRow[] = [{ kind: 'ticket', key: '20', depth: 0, ticket: { id: 20 } as QueriedTicket, isOpen: false }]
  const { result } = renderHook(() => useListSelection({ idProject: 1, rows, current: undefined, isOfTicket: false }))
  const table = document.createElement('table')
  table.innerHTML = '<tr data-key="20" aria-rowindex="3"><td></td></tr>'
  const event = (type: string, timeStamp: number, clientX = 0) =>
    Object.defineProperty(new PointerEvent(type, { pointerType, isPrimary: true, clientX }), 'timeStamp', { value: timeStamp })
  act(() => {
    result.current.onPointerDown({ target: table.querySelector('td'), nativeEvent: event('pointerdown', 0) } as never)
    for (const type of meanwhile) document.dispatchEvent(event(type, 50, 50))
    document.dispatchEvent(event('pointerup', after))
  })
  expect([...selectionOf(1).ids]).toEqual(selected)
})

test('the bar offers what the person may do, counts aloud, and selects all tickets that match', async () => {
  const server = fakeServer()
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 1200 }))
  server.on(getProjectData, () => ({ ShortCode: 'OPS', Permissions: [permission.viewTickets, permission.editTickets] }) as never)
  selectTickets(1, [5])
  const { user } = show(<SelectionBar idProject={1} matching={{ Types: [3] }} />)
  const all = await screen.findByRole('button', { name: 'Select all 1,200 that match' })
  expect(screen.getByRole('status').textContent).toBe('1 ticket selected')
  const isOff = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
  expect(['CHANGE…', 'MOVE', 'TRASH', 'WATCH'].map(isOff)).toEqual([false, false, true, false])
  await user.click(all)
  expect(selectionOf(1).all).toEqual({ matching: { Types: [3] }, total: 1200 })
  expect(screen.getByRole('status').textContent).toBe('All 1,200 tickets selected')
  // The button that had the focus is gone.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'CHANGE…' })))
})
