import type { Call } from '@tessera/contract/call'
import * as contract from '@tessera/contract/calls'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { queryBoard } from '@tessera/contract/tickets/board'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { isConcerned, isSearchAfter, otherQueries, rows } from './concerned.ts'
import { calls, kinds } from './kinds.ts'

const all = Object.values<unknown>(contract).filter(
  (part): part is Call => Object.hasOwn(Object(part), 'kind') && Object.hasOwn(Object(part), 'path'),
)

test('every query of the contract has a row, and every call that changes a ticket a kind', () => {
  const namesOf = (is: (call: Call) => boolean) => all.filter(is).map(({ name }) => name)
  const paths = new Set(Object.keys(rows).map(place => place.split(' ', 1)[0]))
  const entered = new Set([...namesOf(({ path }) => paths.has(path)), ...Object.values(otherQueries).flat()])
  expect([...entered].sort()).toEqual(namesOf(({ kind }) => kind === 'query').sort())
  for (const [access, names] of [
    ['ticket', otherQueries.ofTicket],
    ['project', otherQueries.ofProject],
  ] as const)
    expect(namesOf(call => call.access === access)).toEqual(expect.arrayContaining(names))
  const changing = all.filter(({ kind, access }) => kind === 'mutation' && ['ticket', 'comment', 'link'].includes(access))
  const kindred: readonly Call[] = Object.values(calls).flat()
  expect(kindred.map(({ name }) => name).sort()).toEqual(['create-new-ticket', ...changing.map(({ name }) => name)].sort())
  expect(kinds).toEqual(['new', 'ticket', 'tree', 'links', 'comments', 'reaction', 'beside'])
})

test('a list that asks what blocks its tickets follows tickets of every project; a board also the children whose phase it asks for', () => {
  const change = (idProject: number) => ({ idProject, idTicket: 7, kind: 'set-ticket-data' })
  const follows = (path: string, asked: object) =>
    [1, 2].map(idProject => isConcerned({ queryKey: [path, { idProject: 1, ...asked }] }, change(idProject)))
  const asked = [{}, { Query: 'is:blocked' }, { Query: 'is:"Blocking"' }, { Query: 'has:active-children' }, { Subordinates: [1] }]
  expect(asked.map(each => follows(queryTickets.path, each))).toEqual([
    [true, false],
    [true, true],
    [true, true],
    [true, false],
    [true, false],
  ])
  expect(asked.map(each => follows(queryBoard.path, each))).toEqual([
    [false, false],
    [true, true],
    [true, true],
    [true, false],
    [true, false],
  ])
  expect(follows(getProjectStatistics.path, { Query: 'is:blocked' })).toEqual([true, true])
  const list = { queryKey: [queryTickets.path, { idProject: 1, Query: 'is:blocked' }] }
  expect([1, 2].map(idProject => isSearchAfter(list, change(idProject)))).toEqual([false, true])
})
