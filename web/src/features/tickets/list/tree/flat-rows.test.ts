import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { flatRows } from './flat-rows.ts'

const ticket = (id: number, Group?: QueriedTicket['Group']) =>
  ({ id, Title: `Ticket ${id}`, ...(Group !== undefined && { Group }) }) as QueriedTicket
const shown = (rows: ReturnType<typeof flatRows>) =>
  rows.map(row => {
    if (row.kind === 'group') return `${row.label} ${row.total}`
    return row.kind === 'ticket' ? row.ticket.id : row.kind
  })

test('the tickets of a group stand under its heading, with the number of all that it has', () => {
  const groups = [
    { Value: 7, Label: 'Open', Phase: 1 as const, Total: 12 },
    { Value: null, Label: '', Total: 1 },
  ]
  expect(shown(flatRows([ticket(3, 7), ticket(2, 7), ticket(1, null)], 'Assignee', groups))).toEqual(['Open 12', 3, 2, 'Not assigned 1', 1])
  expect(shown(flatRows([ticket(1, null)], 'size', groups))).toEqual(['No value 1', 1])
  expect(shown(flatRows([ticket(3), ticket(1)], '', undefined))).toEqual([3, 1])
})

test('each row has a key of its own, also when a group begins twice', () => {
  const keys = flatRows([ticket(3, 7), ticket(2, 8), ticket(1, 7)], 'State', []).map(({ key }) => key)
  expect(new Set(keys).size).toBe(6)
})
