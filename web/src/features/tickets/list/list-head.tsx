import { memo, type ReactNode, type RefObject } from 'react'
import { Unseen } from '../../../components/unseen/unseen.tsx'
import type { ShownColumn } from './columns/use-shown-columns.ts'
import { cell, row } from './rows/ticket-row.tsx'
import { SortButton } from './view/sort-button.tsx'
import { TicketFilter } from './view/ticket-filter.tsx'
import { cycleSort, type TicketView } from './view/ticket-view.ts'
import type { ChangeView } from './view/use-ticket-view.ts'

export const columns = [
  { name: 'ID', filter: 'id', sort: 'ID' },
  { name: 'Type', filter: 'types', sort: 'Type' },
  { name: 'Phase', filter: 'phases', sort: 'Phase' },
  { name: 'State', filter: 'states', sort: 'State' },
  // Ordered by `sort:title` of a query: the specification's list is sorted by the four columns before.
  { name: 'Description', filter: 'title' },
  // Three numbers in one: there is no one order.
  { name: 'Subordinates', filter: 'subordinates' },
] as const satisfies { name: string; filter: string; sort?: string }[]

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

export function ColumnName({ column, view, onChange }: ColumnProps & { column: Column }) {
  if (!('sort' in column)) return column.name
  const { sort, name } = column
  return (
    <SortButton
      column={sort}
      label={name}
      sort={view.sort}
      onCycle={() => onChange(newest => ({ ...newest, sort: cycleSort(newest.sort, sort) }))}
    />
  )
}
/** The name of a column that was added. */
export function AddedName({ name, label, view, onChange }: Pick<ShownColumn, 'name' | 'label'> & Pick<ColumnProps, 'view' | 'onChange'>) {
  const cycle = () => onChange(newest => ({ ...newest, sort: cycleSort(newest.sort, name) }))
  return <SortButton column={name} label={label} sort={view.sort} onCycle={cycle} />
}
export function ColumnFilter({ column: { filter }, search, added: _, ...props }: ColumnProps & { column: Column }) {
  return <TicketFilter name={filter} {...props} {...(filter === 'title' && { inputRef: search })} />
}

/** The names of the columns, which are not those of the buttons in them, and their filters; not drawn again when a row gets the focus. */
export const ListHead = memo(function ListHead(props: ColumnProps) {
  return (
    <thead {...group}>
      <HeadRow>
        {columns.map(column => {
          const slot = 'sort' in column ? props.view.sort.find(({ Column }) => Column === column.sort) : undefined
          return (
            <th
              key={column.name}
              {...head}
              {...('sort' in column && { 'aria-label': column.name })}
              className={column.filter}
              {...(slot && { 'aria-sort': slot.Direction === 'asc' ? 'ascending' : 'descending' })}
            >
              <ColumnName column={column} {...props} />
            </th>
          )
        })}
        {props.added.map(({ name, label }) => {
          const slot = props.view.sort.find(({ Column }) => Column === name)
          return (
            <th
              key={name}
              {...head}
              aria-label={label}
              className="value"
              {...(slot && { 'aria-sort': slot.Direction === 'asc' ? 'ascending' : 'descending' })}
            >
              <AddedName name={name} label={label} view={props.view} onChange={props.onChange} />
            </th>
          )
        })}
      </HeadRow>
      <tr {...row} aria-rowindex={2} className="filters">
        <td {...cell} />
        <td {...cell} />
        {columns.map(column => (
          <td key={column.name} {...cell}>
            <ColumnFilter column={column} {...props} />
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
        <Unseen>Assigned to you</Unseen>
      </th>
      <th {...head} className="tree">
        <Unseen>Child tickets</Unseen>
      </th>
      {children}
    </tr>
  )
}

/** The head of a list of cards: read only, as each card has its parts without their names. */
export function UnseenHead({ added }: Pick<ColumnProps, 'added'>) {
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
