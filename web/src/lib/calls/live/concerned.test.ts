import type { Call } from '@tessera/contract/call'
import * as contract from '@tessera/contract/calls'
import { expect, test } from 'vitest'
import { nameOf, rows } from './concerned.ts'
import { calls } from './kinds.ts'

const all = Object.values<unknown>(contract).filter(
  (part): part is Call => Object.hasOwn(Object(part), 'kind') && Object.hasOwn(Object(part), 'path'),
)

test('every query of the contract has a row, and every call that changes a ticket a kind', () => {
  const queries = all.filter(({ kind }) => kind === 'query').map(({ path }) => nameOf({ queryKey: [path, {}] }))
  const named = new Set(Object.keys(rows).map(name => name.split(' ', 1)[0]))
  expect([...named].sort()).toEqual(queries.sort())
  const changing = all.filter(({ kind, access }) => kind === 'mutation' && ['ticket', 'comment', 'link'].includes(access))
  expect(Object.values(calls).flat().sort()).toEqual(['create-new-ticket', ...changing.map(({ name }) => name)].sort())
})
