import { parse } from '@tessera/contract/query-language/parse'
import { expect, test } from 'vitest'
import { closedIn, createdIn, inPhase, listPath, openOfAge } from './paths.ts'

const query = (path: string) => new URL(path, 'http://x').searchParams.get('q')
const november = { from: '2026-11-01', to: '2026-11-30' }

test('the list behind a number holds the query of the charts as a whole', () => {
  expect(listPath(7, '', createdIn(november))).toBe('/view-project/7?q=created%3A2026-11-01..2026-11-30&layout=list')
  expect(query(listPath(7, 'a or b sort:id', inPhase('active', '2026-11-30')))).toBe('(a or b) phase:active@2026-11-30')
  expect(query(listPath(7, 'type:bug', closedIn(november)))).toBe('type:bug (phase:inactive@2026-11-30 -phase:inactive@2026-10-31)')
})

test('every condition can be read', () => {
  for (const condition of [openOfAge(undefined, 1), openOfAge(1, 7), openOfAge(365, null), closedIn(november), createdIn(november)])
    expect(parse(condition).where).not.toBeNull()
})
