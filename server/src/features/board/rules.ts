import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { decodeCursor, encodeCursor, isId } from '../../lib/cursor.ts'
import { invalid } from '../../lib/failure.ts'
import { personName } from '../tickets/queries.ts'

/** The number of tickets per column unless the request says otherwise. */
export const usualLimit = 50
/** About how many tickets an answer has in all, and how many each column has at least. The rest of a column follows page by page. */
const [answered, perColumnAtLeast] = [2000, 5]

/** The most tickets of each column, on a board with this number of columns. */
export function perColumn(limit: number, columns: number) {
  return Math.min(limit, Math.max(perColumnAtLeast, Math.floor(answered / Math.max(1, columns))))
}
/** SQL: the same number, in a statement with a row for each column. */
export const perColumnOf = (limit: string) => `least(${limit}, greatest(${perColumnAtLeast}, ${answered} / greatest(1, count(*))))`

/** 400 for a value that no column of this board has: states and people are numbers, options are texts, and none is ''. */
export function requireValue({ Group, Value }: Pick<Request<typeof queryBoard>, 'Group' | 'Value'>) {
  if (Value === undefined) return
  const isId = typeof Value === 'number'
  if (Group === 'State' && !isId) throw invalid('Value', 'must be the id of a state')
  if (Group === 'Assignee' && !isId && Value !== '') throw invalid('Value', "must be the id of a person, or ''")
  if (Group !== 'State' && Group !== 'Assignee' && isId) throw invalid('Value', 'must be the value of an option as text')
}

/** SQL: the name of the person whose id this column holds as text. */
export const nameOf = (value: string) => `(select ${personName} from user_account u where u.id = nullif(${value}, '')::bigint)`

/** Where a page of a column ended: lane and rank of its last ticket as text, and its id. */
export interface BoardPosition {
  lane: string
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
  if (isNumber(rank) && (isNumber(lane) || lane === 'Infinity') && isId(id) && rest.length === 0) return { lane, rank, id }
  throw invalid('Cursor', 'is not a cursor of this board')
}
