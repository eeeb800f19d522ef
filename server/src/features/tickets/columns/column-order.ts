import type { Request } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import type { Bind } from '../../../lib/bind.ts'
import { decodeCursor, encodeCursor, isId } from '../../../lib/cursor.ts'
import { invalid } from '../../../lib/failure.ts'

type Sort = NonNullable<Request<typeof queryTickets>['Sort']>

/** Where a page ended: the sort keys of its last ticket as text, null where it has none, and its id. */
export interface ColumnPosition {
  keys: (string | null)[]
  id: number
}

/** The effective order: without columns that have no effect, which are those after ID, and repeated ones. `id` orders what is equal. */
export function columnOrder(sort: Sort = []): { columns: Sort; id: 'asc' | 'desc' } {
  const columns: Sort = []
  for (const slot of sort) {
    if (slot.Column === 'ID') return { columns, id: slot.Direction }
    if (!columns.some(({ Column }) => Column === slot.Column)) columns.push(slot)
  }
  return { columns, id: 'desc' }
}

/** A sort key as a column of the statement. */
export interface KeyColumn {
  name: string
  type: string
  Direction: 'asc' | 'desc'
}

/** ORDER BY of the keys; tickets without one come last, in either direction. */
export function orderBy(keys: readonly KeyColumn[], id: 'asc' | 'desc') {
  return [...keys.map(({ name, Direction }) => `${name} ${Direction} nulls last`), `id ${id}`].join(', ')
}
/** SQL: true for what comes after the position in that order. */
export function isAfter(keys: readonly KeyColumn[], id: 'asc' | 'desc', after: ColumnPosition, bind: Bind) {
  const given = keys.map(({ type }, index) => `${bind(after.keys[index])}::${type}`)
  const same = keys.map(({ name }, index) => `${name} is not distinct from ${given[index]}`)
  const conditions = keys.flatMap(({ name, Direction }, index) => {
    // Nothing comes after those without a value.
    if (after.keys[index] === null) return []
    return [[...same.slice(0, index), `(${name} ${Direction === 'asc' ? '>' : '<'} ${given[index]} or ${name} is null)`].join(' and ')]
  })
  return [...conditions, [...same, `id ${id === 'asc' ? '>' : '<'} ${bind(after.id)}`].join(' and ')].join(' or ')
}

/** The order as cursors keep it. */
export function specOf({ columns, id }: ReturnType<typeof columnOrder>) {
  return [...columns.map(({ Column, Direction }) => `${Column}.${Direction}`), `ID.${id}`].join()
}

export function writeColumnCursor(order: ReturnType<typeof columnOrder>, { keys, id }: ColumnPosition) {
  return encodeCursor(`columns,${specOf(order)}`, keys, id)
}
/** 400 unless the cursor was written for this order. */
export function readColumnCursor(order: ReturnType<typeof columnOrder>, cursor: string | undefined): ColumnPosition | undefined {
  if (cursor === undefined) return undefined
  const [keys, id, ...rest] = decodeCursor(`columns,${specOf(order)}`, cursor)
  if (areKeys(keys) && keys.length === order.columns.length && isId(id) && rest.length === 0) return { keys, id }
  throw notOurs()
}

export function areKeys(keys: unknown): keys is ColumnPosition['keys'] {
  return Array.isArray(keys) && keys.every(key => key === null || (typeof key === 'string' && !key.includes('\0')))
}

const forms: Record<string, RegExp> = {
  int: /^-?\d{1,9}$/,
  bigint: /^-?\d{1,18}$/,
  numeric: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
}
/** 400 unless the position has a value of each key's type: the type of a field may have changed since. */
export function requireKeys({ keys: values }: ColumnPosition, keys: readonly KeyColumn[]) {
  const fits =
    values.length === keys.length && values.every((value, index) => value === null || (forms[keys[index]?.type ?? '']?.test(value) ?? true))
  if (!fits) throw notOurs()
}

function notOurs() {
  return invalid('Cursor', 'is not a cursor of this list')
}
