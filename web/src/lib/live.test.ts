import { getTicketLinks } from '@tessera/contract/links'
import { queryTickets } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { isConcerned } from './live.ts'

const queries = {
  ticket7: ['/get-ticket-data', { idTicket: 7 }],
  comments7: ['/get-ticket-comments', { idTicket: 7 }],
  ticket8: ['/get-ticket-data', { idTicket: 8 }],
  list1: [queryTickets.path, { idProject: 1 }, 'pages'],
  list2: [queryTickets.path, { idProject: 2 }, 'pages'],
  session: ['/connstate', {}],
  profile: ['/get-user-data', {}],
}
function concerned(change: Parameters<typeof isConcerned>[1]) {
  return Object.entries(queries)
    .filter(([, queryKey]) => isConcerned({ queryKey }, change))
    .map(([name]) => name)
}

test('a ticket that changes makes its own page and the lists of its project old, nothing else', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-data' })).toEqual(['ticket7', 'comments7', 'list1'])
})

test('a comment concerns the page of its ticket, a new ticket the lists', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-comment' })).toEqual(['ticket7', 'comments7'])
  expect(concerned({ idProject: 1, kind: 'create-new-ticket' })).toEqual(['list1'])
  expect(isConcerned({ queryKey: ['/get-ticket-template-list', { idProject: 1 }] }, { idProject: 1, kind: 'create-new-ticket' })).toBe(
    false,
  )
})

test('a tree that moves takes along the tickets in it', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'trash-ticket' })).toEqual(['ticket7', 'comments7', 'ticket8', 'list1'])
})

test('a change of the project itself may concern everything', () => {
  expect(concerned({ idProject: 1, kind: 'set-ticket-state' })).toEqual(Object.keys(queries))
})

test('a link concerns tickets and lists of every project; what links name changes with any ticket', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-link' })).toEqual(['ticket7', 'comments7', 'ticket8', 'list1', 'list2'])
  const links8 = { queryKey: [getTicketLinks.path, { idTicket: 8 }] }
  expect(isConcerned(links8, { idProject: 1, idTicket: 7, kind: 'set-ticket-data' })).toBe(true)
  expect(isConcerned(links8, { idProject: 1, idTicket: 7, kind: 'set-ticket-comment' })).toBe(false)
})
