import { decodeCursor, encodeCursor, isId } from '../../../lib/cursor.ts'
import { invalid } from '../../../lib/failure.ts'

/** Where a page of a column ended: the lane of its last ticket, null without one, its rank as text, and its id. */
export interface BoardPosition {
  lane: number | null
  rank: string
  id: number
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,20}(\.\d{1,400})?$/.test(value)
}

export function writeBoardCursor({ lane, rank, id }: BoardPosition) {
  return encodeCursor('board', lane, rank, id)
}
export function readBoardCursor(cursor: string | undefined): BoardPosition | undefined {
  if (cursor === undefined) return undefined
  const [lane, rank, id, ...rest] = decodeCursor('board', cursor)
  if (isNumber(rank) && (isId(lane) || lane === null) && isId(id) && rest.length === 0) return { lane, rank, id }
  throw invalid('Cursor', 'is not a cursor of this board')
}
