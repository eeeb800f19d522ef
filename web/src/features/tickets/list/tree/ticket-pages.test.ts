import { hashKey, QueryClient } from '@tanstack/react-query'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { hasStaleInSight, meetingNext, setInSight, ticketPages, ticketsOf } from './ticket-pages.ts'

const ticket = (id: number, Title = `Ticket ${id}`) => ({ id, Title }) as QueriedTicket
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => ticket(from - index))
const idsOf = (tickets: readonly QueriedTicket[]) => tickets.map(({ id }) => id)

test('a page that was read again ends where the next one begins', () => {
  const read = { Tickets: [ticket(11), ...down(10, 3)], NextCursor: 'after 3', Total: 20 }
  const cut = meetingNext(read, down(5, 1), 'after 6')
  expect(idsOf(cut?.Tickets ?? [])).toEqual([11, 10, 9, 8, 7, 6])
  expect(cut?.NextCursor).toBe('after 6')
  expect(meetingNext({ ...read, Tickets: down(30, 20) }, down(5, 1), 'after 6')).toBeUndefined()
  // A ticket that moved up from the next page stays where it is now.
  const risen = meetingNext({ ...read, Tickets: [ticket(4), ...down(10, 5)] }, down(5, 1), 'after 6')
  expect(idsOf(risen?.Tickets ?? [])).toEqual([4, 10, 9, 8, 7, 6])
})

/** A project of tickets, the newest first, whose pages are read as the server reads them. */
function project(count: number) {
  let tickets = down(count, 1)
  const asked: (string | undefined)[] = []
  const server = fakeServer()
  server.on(queryTickets, ({ Cursor, Limit = 100 }) => {
    asked.push(Cursor)
    const rest = Cursor ? tickets.filter(({ id }) => id < Number(Cursor)) : tickets
    const Tickets = rest.slice(0, Limit)
    return { Tickets, NextCursor: rest.length > Limit ? String(Tickets.at(-1)?.id) : null, Total: tickets.length }
  })
  return {
    asked,
    change: (next: (before: QueriedTicket[]) => QueriedTicket[]) => {
      tickets = next(tickets)
    },
  }
}

test('a long list reads again its first page and those in sight; the others when they come into sight', async () => {
  const { asked, change } = project(1000)
  const queries = new QueryClient()
  const list = ticketPages({ idProject: 1 })
  const hash = hashKey(list.queryKey)
  await queries.fetchInfiniteQuery({ ...list, pages: 10 })
  expect(asked).toHaveLength(10)
  const shown = () => ticketsOf(queries.getQueryData<{ pages: never[] }>(list.queryKey)?.pages ?? []).tickets
  const pages = () => queries.getQueryData<{ pages: never[] }>(list.queryKey)?.pages ?? []

  setInSight(hash, { first: 4, last: 4 })
  change(before => [ticket(1001), ...before.map(one => (one.id === 555 || one.id === 222 ? { ...one, Title: 'Changed' } : one))])
  asked.length = 0
  await queries.refetchQueries({ queryKey: list.queryKey })
  expect(asked).toEqual([undefined, '601'])
  expect(idsOf(shown())).toEqual(Array.from({ length: 1001 }, (_, index) => 1001 - index))
  const titleOf = (id: number) => shown().find(one => one.id === id)?.Title
  expect(titleOf(555)).toBe('Changed')
  expect(titleOf(222)).toBe('Ticket 222')
  expect(hasStaleInSight(hash, pages())).toBe(false)

  setInSight(hash, { first: 7, last: 7 })
  expect(hasStaleInSight(hash, pages())).toBe(true)
  await queries.refetchQueries({ queryKey: list.queryKey })
  expect(titleOf(222)).toBe('Changed')
  expect(hasStaleInSight(hash, pages())).toBe(false)
})

test('pages that no longer meet are read again from there on', async () => {
  const { asked, change } = project(1000)
  const queries = new QueryClient()
  const list = ticketPages({ idProject: 2 })
  await queries.fetchInfiniteQuery({ ...list, pages: 5 })
  asked.length = 0
  change(before => [...down(1050, 1001), ...before])
  await queries.refetchQueries({ queryKey: list.queryKey })
  expect(asked.length).toBe(5)
  const { tickets } = ticketsOf(queries.getQueryData<{ pages: never[] }>(list.queryKey)?.pages ?? [])
  expect(idsOf(tickets)).toEqual(Array.from({ length: tickets.length }, (_, index) => 1050 - index))
})
