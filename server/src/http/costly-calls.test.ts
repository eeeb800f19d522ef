import { setImmediate as soon } from 'node:timers/promises'
import { getViewList } from '@tessera/contract/projects/views'
import { getCommentHistory, getTicketComments, newestComments } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { costlyTurns, isCostly } from './costly-calls.ts'

test('comments and their versions take a turn, also a page of them, and a list of views only when its tickets are counted', () => {
  expect(isCostly(searchTickets, {})).toBe(true)
  expect(isCostly(getViewList, { idProject: 1, Counts: 1 })).toBe(true)
  expect(isCostly(getViewList, { idProject: 1 })).toBe(false)
  expect(isCostly(getTicketComments, { idTicket: 1 })).toBe(true)
  expect(isCostly(getTicketComments, newestComments(1))).toBe(true)
  expect(isCostly(getCommentHistory, { idTicket: 1, idComment: 1 })).toBe(true)
  expect(isCostly(getTicketHistory, { idTicket: 1 })).toBe(true)
})

test('two costly calls of a person run at once and 200 wait; those whose client has left are not run, and a full queue empties', async () => {
  const inTurn = costlyTurns()
  const running: (() => void)[] = []
  const work = (hasWaited: boolean) => new Promise<boolean>(resolve => running.push(() => resolve(hasWaited)))
  const gone = new AbortController()
  const calls = Array.from({ length: 202 }, (_, index) => inTurn(1, work, index > 100 ? gone.signal : undefined))
  const outcomes = Promise.allSettled(calls)
  await expect(inTurn(1, work)).rejects.toMatchObject({ code: 'throttled', detail: { retryAfterSeconds: 5 } })
  expect(running).toHaveLength(2)
  expect(await inTurn(2, async hasWaited => hasWaited)).toBe(false)
  gone.abort(new Error('left'))
  for (let ended = 0; ended < 101; ended++) {
    expect(running.length - ended).toBeLessThanOrEqual(2)
    running[ended]?.()
    await soon()
  }
  const ended = (await outcomes).map(({ status }) => status)
  expect(ended.filter(status => status === 'fulfilled')).toHaveLength(101)
  expect(await calls[0]).toBe(false)
  expect(await calls[2]).toBe(true)
  expect(await inTurn(1, async hasWaited => hasWaited)).toBe(false)
})
