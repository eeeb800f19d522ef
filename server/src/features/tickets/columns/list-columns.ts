import type { Request } from '@tessera/contract/call'
import type { sortNames } from '@tessera/contract/query-language/names'
import { listColumns, type queryTickets, sortColumns } from '@tessera/contract/tickets/tickets'
import { invalid } from '../../../lib/failure.ts'
import { columnOrder } from './column-order.ts'

type Input = Pick<Request<typeof queryTickets>, 'Columns' | 'Sort'>
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
