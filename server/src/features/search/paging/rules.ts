import { hash } from 'node:crypto'
import type { Request } from '@tessera/contract/call'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { invalid } from '../../../lib/failure.ts'
import type { ColumnPosition } from '../../tickets/columns/rules.ts'

/** Which results are wanted. */
export interface Page {
  /** The number of results on previous pages. */
  offset: number
  after: ColumnPosition | undefined
  limit: number
}

type Question = Pick<Request<typeof searchTickets>, 'Query' | 'idProject' | 'Sort'>

/** A cursor is valid for one question only. */
function markOf({ Query, idProject, Sort }: Question) {
  const question = JSON.stringify([Query, idProject, Sort?.map(({ Column, Direction }) => [Column, Direction])])
  return hash('sha256', question, 'base64url').slice(0, 12)
}

export function writeSearchCursor(question: Question, offset: number, { keys, id }: ColumnPosition) {
  return Buffer.from(JSON.stringify([markOf(question), offset, keys, id])).toString('base64url')
}

/** 400 unless the cursor was written for this question. */
export function readSearchCursor(question: Question, cursor: string | undefined): Omit<Page, 'limit'> {
  if (cursor === undefined) return { offset: 0, after: undefined }
  try {
    const [mark, offset, keys, id, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isNumber = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= 1_000_000_000_000
    const isKey = (key: unknown) => key === null || (typeof key === 'string' && !key.includes('\0'))
    const fits = mark === markOf(question) && rest.length === 0 && isNumber(offset) && offset <= 1_000_000_000 && isNumber(id)
    if (fits && Array.isArray(keys) && keys.every(isKey)) return { offset, after: { keys, id } }
  } catch {
    // not JSON
  }
  throw invalid('Cursor', 'is not a cursor of this search')
}
