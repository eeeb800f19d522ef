import { invalid } from '../../lib/failure.ts'

/** Tickets of a column that are answered when the request does not say how many. */
export const usualLimit = 50

/** Where a page of a column ended: lane and rank of its last ticket as text, and its id. */
export interface BoardPosition {
  lane: string
  rank: string
  id: number
}

const number = /^-?\d{1,20}(\.\d{1,400})?$/

export function writeBoardCursor({ lane, rank, id }: BoardPosition) {
  return Buffer.from(JSON.stringify(['board', lane, rank, id])).toString('base64url')
}
export function readBoardCursor(cursor: string | undefined): BoardPosition | undefined {
  if (cursor === undefined) return undefined
  try {
    const [kind, lane, rank, id, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isLane = lane === 'Infinity' || number.test(lane)
    if (kind === 'board' && rest.length === 0 && isLane && number.test(rank) && Number.isSafeInteger(id)) return { lane, rank, id }
  } catch {
    // not JSON
  }
  throw invalid('Cursor', 'is not a cursor of this board')
}
