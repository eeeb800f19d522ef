import { invalid } from '../../lib/failure.ts'

/** Where a page of a column ended: the rank of its last ticket as text, and its id. */
export interface BoardPosition {
  rank: string
  id: number
}

export function writeBoardCursor({ rank, id }: BoardPosition) {
  return Buffer.from(JSON.stringify(['board', rank, id])).toString('base64url')
}
export function readBoardCursor(cursor: string | undefined): BoardPosition | undefined {
  if (cursor === undefined) return undefined
  try {
    const [kind, rank, id, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (kind === 'board' && rest.length === 0 && /^-?\d{1,400}(\.\d{1,1400})?$/.test(rank) && Number.isSafeInteger(id)) return { rank, id }
  } catch {
    // not JSON
  }
  throw invalid('Cursor', 'is not a cursor of this board')
}
