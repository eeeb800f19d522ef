import type { Call } from '@tessera/contract/call'
import { authenticate } from '@tessera/contract/people/session'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket, getTicketData, getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { type Dataset, password } from './data.ts'
import { misspelt, wordOf } from './find/data.ts'

/** What differs between one request and the next. */
export interface Draw {
  ticket: number
  parent: number
  person: number
  /** Never the same twice. */
  serial: number
}

export interface Scenario {
  name: string
  call: Call
  input(dataset: Dataset, draw: Draw): unknown
  /** The request needs no session. */
  isPublic?: boolean
  /** The product runs its statements with generic plans. */
  isShortRead?: boolean
}

export const scenarios: Scenario[] = [
  { name: 'query-tickets (100 rows)', call: queryTickets, input: ({ projectId }) => ({ idProject: projectId }), isShortRead: true },
  { name: 'get-ticket-data', call: getTicketData, input: (_, { ticket }) => ({ idTicket: ticket }), isShortRead: true },
  {
    name: 'set-ticket-data (title)',
    call: setTicketData,
    input: (_, { ticket, serial }) => ({ idTicket: ticket, Title: `Measured ${serial}` }),
  },
  {
    name: 'create-new-ticket',
    call: createNewTicket,
    input: ({ projectId, templateId }, { serial }) => ({ idProject: projectId, idTemplate: templateId, Title: `Made ${serial}` }),
  },
  {
    name: 'get-ticket-list (children)',
    call: getTicketList,
    input: ({ projectId }, { parent }) => ({ idProject: projectId, idParent: parent }),
    isShortRead: true,
  },
  {
    name: 'search-tickets (two words)',
    call: searchTickets,
    input: (_, { serial }) => ({ Query: `${wordOf(serial % 300)} ${wordOf(serial % 7)}`, Limit: 10 }),
  },
  {
    name: 'search-tickets (error)',
    call: searchTickets,
    input: (_, { serial }) => ({ Query: misspelt(wordOf(serial % 9000)), Limit: 10 }),
  },
  { name: 'sign-in', call: authenticate, input: (_, { person }) => ({ user: `bench-${person}`, pass: password }), isPublic: true },
]

let serial = Date.now() * 1000
export function draw({ first, last, parents, people }: Dataset): Draw {
  const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low + 1))
  return {
    ticket: between(first, last),
    parent: first + parents.step * (parents.count === 1 ? 1 : between(0, parents.count - 1)),
    person: between(people.first, people.last),
    serial: serial++,
  }
}
