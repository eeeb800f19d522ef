import { memo, type ReactNode, type RefObject } from 'react'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import type { ShownColumn } from './columns/column-cell.tsx'
import { cell, row } from './rows/ticket-row.tsx'
import { SortButton } from './view/controls/sort-button.tsx'
import { TicketFilter } from './view/controls/ticket-filter.tsx'
import type { TicketView } from './view/ticket-view.ts'
import type { ChangeView } from './view/use-ticket-view.ts'
import { cycleSort } from './view/view-changes.ts'

export const columns = [
  { name: 'ID', filter: 'id', hasSort: true },
  { name: 'Type', filter: 'types', hasSort: true },
  { name: 'Phase', filter: 'phases', hasSort: true },
  { name: 'State', filter: 'states', hasSort: true },
  // The specification sorts only by the four columns before. A query can have `sort:title`.
  { name: 'Description', filter: 'title', hasSort: false },
  // Three numbers in one cell have no single order.
  { name: 'Subordinates', filter: 'subordinates', hasSort: false },
] as const
/** With the two narrow ones that show no name: whether the ticket is assigned to the person, and whether it has children. */
export const columnCount = 2 + columns.length

export const group = { role: 'rowgroup' }
const head = { role: 'columnheader', scope: 'col' }

export interface ColumnProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
  search: RefObject<HTMLInputElement | null>
  /** The added columns that there is room for. */
  added: readonly ShownColumn[]
}
type Column = (typeof columns)[number]

export function ColumnName({ column: { name, hasSort }, view, onChange }: ColumnProps & { column: Column }) {
  return hasSort ? <SortableName name={name} label={name} view={view} onChange={onChange} /> : name
}
/** The name of a column that the list can be sorted by, as that of every added one. */
export function SortableName({
  name,
  label,
  view,
  onChange,
}: Pick<ShownColumn, 'name' | 'label'> & Pick<ColumnProps, 'view' | 'onChange'>) {
  const cycle = () => onChange(newest => ({ ...newest, sort: cycleSort(newest.sort, name) }))
  return <SortButton column={name} label={label} sort={view.sort} onCycle={cycle} />
}
export function ColumnFilter({ column: { filter }, search, added: _, ...props }: ColumnProps & { column: Column }) {
  return <TicketFilter name={filter} titleRef={search} {...props} />
}

/** `aria-sort` of the header of a column, if the list is sorted by it. */
function sortOf({ view }: ColumnProps, name: string) {
  const slot = view.sort.find(({ Column }) => Column === name)
  return slot && ({ 'aria-sort': slot.Direction === 'asc' ? 'ascending' : 'descending' } as const)
}

/**
 * The header with the names and filters of the columns. The names are `aria-label`s too, because the buttons in the cells are called `Sort by …`.
 * Memoized, so that focusing a row does not re-render it.
 */
export const ListHead = memo(function ListHead({ hasFilters, ...props }: ColumnProps & { hasFilters: boolean }) {
  return (
    <thead {...group}>
      <HeadRow>
        {columns.map(column => (
          <th
            key={column.name}
            {...head}
            {...(column.hasSort && { 'aria-label': column.name, ...sortOf(props, column.name) })}
            className={column.filter}
          >
            <ColumnName column={column} {...props} />
          </th>
        ))}
        {props.added.map(({ name, label }) => (
          <th key={name} {...head} aria-label={label} className="value" {...sortOf(props, name)}>
            <SortableName name={name} label={label} view={props.view} onChange={props.onChange} />
          </th>
        ))}
      </HeadRow>
      <tr {...row} aria-rowindex={2} className="filters">
        <td {...cell} />
        <td {...cell} />
        {columns.map(column => (
          <td key={column.name} {...cell}>
            {hasFilters && <ColumnFilter column={column} {...props} />}
          </td>
        ))}
        {props.added.map(({ name }) => (
          <td key={name} {...cell} />
        ))}
      </tr>
    </thead>
  )
})

function HeadRow({ children }: { children: ReactNode }) {
  return (
    <tr {...row} aria-rowindex={1}>
      <th {...head} className="assigned">
        <VisuallyHidden>Assigned to you</VisuallyHidden>
      </th>
      <th {...head} className="tree">
        <VisuallyHidden>Expand</VisuallyHidden>
      </th>
      {children}
    </tr>
  )
}

/** The header of a list of cards, for screen readers only, because the cards do not show the names of their parts. */
export function HiddenHead({ added }: Pick<ColumnProps, 'added'>) {
  return (
    <thead {...group} className="unseen">
      <HeadRow>
        {columns.map(({ name }) => (
          <th key={name} {...head}>
            {name}
          </th>
        ))}
        {added.map(({ name, label }) => (
          <th key={name} {...head}>
            {label}
          </th>
        ))}
      </HeadRow>
    </thead>
  )
}
