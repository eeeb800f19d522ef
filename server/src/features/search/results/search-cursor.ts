import { hash } from 'node:crypto'
import type { Request } from '@tessera/contract/call'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { decodeCursor, encodeCursor, isId } from '../../../lib/cursor.ts'
import { invalid } from '../../../lib/failure.ts'
import { areKeys, type ColumnPosition } from '../../tickets/columns/column-order.ts'

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
  return encodeCursor(markOf(question), offset, keys, id)
}

/** 400 unless the cursor was written for this question. */
export function readSearchCursor(question: Question, cursor: string | undefined): Omit<Page, 'limit'> {
  if (cursor === undefined) return { offset: 0, after: undefined }
  const [offset, keys, id, ...rest] = decodeCursor(markOf(question), cursor)
  if (isId(offset) && offset <= 1_000_000_000 && areKeys(keys) && isId(id) && rest.length === 0) return { offset, after: { keys, id } }
  throw invalid('Cursor', 'is not a cursor of this search')
}
