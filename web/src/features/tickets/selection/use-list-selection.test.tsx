import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { cleanup, renderHook } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { TicketRow } from '../list/tree/rows.ts'
import { clearSelection, selectionOf } from './selection.ts'
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
  renderHook(() => useListSelection(1, rows, undefined, false))
  await userEvent.keyboard('x')
  expect([...selectionOf(1).ids]).toEqual([20])
})
