import type { Request } from '@tessera/contract/call'
import type { sortNames } from '@tessera/contract/query-language/names'
import { listColumns, type queryTickets, sortColumns } from '@tessera/contract/tickets/tickets'
import { decodeCursor, encodeCursor, isId } from '../../../lib/cursor.ts'
import { invalid } from '../../../lib/failure.ts'

type Input = Pick<Request<typeof queryTickets>, 'Columns' | 'Sort'>
type Sort = NonNullable<Input['Sort']>
/** The columns whose order is that of the project's templates and states, which are few. */
export type BaseColumn = Exclude<(typeof sortColumns)[number], 'ID'>

/** A column that a list shows on request: one of every ticket, or a field by its database key. */
export type ListColumn = (typeof listColumns)[number]

export function isListColumn(name: string): name is ListColumn {
  return (listColumns as readonly string[]).includes(name)
}
export function isBaseColumn(name: string): name is BaseColumn {
  return (sortColumns as readonly string[]).includes(name)
}
/** The order that `sort:title` asks for; no request can name it. */
export const titleOrder = '*title'

/** The columns of the names that `sort:` takes. `due` is a field, of each project another. */
const columnOf: Record<Exclude<(typeof sortNames)[number], 'due'>, string> = {
  id: 'ID',
  title: titleOrder,
  type: 'Type',
  phase: 'Phase',
  state: 'State',
  assignee: 'Assignees',
  label: 'Labels',
  parent: 'Parent',
  created: 'Created',
  updated: 'Updated',
}
/** Undefined if the name is not one of those. */
export function columnOfSort(name: string): string | undefined {
  return Object.hasOwn(columnOf, name) ? columnOf[name as keyof typeof columnOf] : undefined
}

function isField(name: string) {
  return !isListColumn(name) && !isBaseColumn(name) && name !== titleOrder
}

/** The columns to show, split into those of every ticket, joined in a fixed order, and the keys of fields. */
export function shownColumns({ Columns = [] }: Input) {
  return { columns: listColumns.filter(name => Columns.includes(name)).join(' '), keys: Columns.filter(name => !isListColumn(name)) }
}
/** The keys of fields that the order refers to. */
export function sortedKeys({ Sort = [] }: Input) {
  return Sort.map(({ Column }) => Column).filter(isField)
}
/** Whether the order needs a key of each ticket, and not only the order of templates and states. */
export function isSortedByColumn({ Sort }: Input) {
  return columnOrder(Sort).columns.some(({ Column }) => !isBaseColumn(Column))
}

/** 400 for a name that is neither a column nor the key of one of the project's fields. */
export function requireKnown({ Columns = [], Sort = [] }: Input, keys: ReadonlySet<string>) {
  const strangeColumn = Columns.findIndex(name => !isListColumn(name) && !keys.has(name))
  if (strangeColumn >= 0) throw invalid(`Columns.${strangeColumn}`, 'is neither a column nor the key of a field of this project')
  const strangeSort = Sort.findIndex(({ Column }) => isField(Column) && !keys.has(Column))
  if (strangeSort >= 0) throw invalid(`Sort.${strangeSort}.Column`, 'is neither a column nor the key of a field of this project')
}

// ── Pages in the order of any column ────────────────────────────────────────

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
export function isAfter(keys: readonly KeyColumn[], id: 'asc' | 'desc', after: ColumnPosition, bind: (value: unknown) => string) {
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
