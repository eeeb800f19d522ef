import { useQueryClient } from '@tanstack/react-query'
import { getTicketData } from '@tessera/contract/tickets'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { Button } from '../../components/button/button.tsx'
import { Card } from '../../components/card/card.tsx'
import { LabelledCheckBox } from '../../components/check-box/check-box.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FilterIcon, SearchIcon } from '../../components/icons.tsx'
import { SkeletonRows } from '../../components/skeleton-rows.tsx'
import { TooltipArea } from '../../components/tooltip-area.tsx'
import { Unseen } from '../../components/unseen.tsx'
import { callQuery } from '../../lib/api.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { useShortcuts } from '../../lib/use-shortcuts.ts'
import { type ListLayout, layoutFor, rowHeightOf } from './list-layout.ts'
import { SortButton } from './sort-button.tsx'
import { TicketFilter } from './ticket-filter.tsx'
import styles from './ticket-list.module.css'
import { cell, firstPosition, row } from './ticket-row.tsx'
import { TicketRows } from './ticket-rows.tsx'
import { cycleSort, isFiltered, plainView, type SortColumn, type TicketView } from './ticket-view.ts'
import { type TicketRow as Row, useTicketRows } from './use-ticket-rows.ts'
import { useTicketView } from './use-ticket-view.ts'
import { ViewSelector } from './view-selector.tsx'

interface TicketListProps {
  idProject: number
  /** Its children instead of the whole project. */
  idParent?: number
  /** Names the table. */
  label: string
  /** Stands at the left of the line with the views. */
  heading: ReactNode
  /** Stands at its right. */
  actions?: ReactNode
  /** What an empty list says, and the button that helps. */
  empty: ReactNode
  /** Somebody came to a row and may want its ticket: time to load what shows it. */
  onApproach?: () => void
}

const columns = [
  { name: 'ID', filter: 'id', sort: 'ID' },
  { name: 'Type', filter: 'types', sort: 'Type' },
  { name: 'Phase', filter: 'phases', sort: 'Phase' },
  { name: 'State', filter: 'states', sort: 'State' },
  { name: 'Description', filter: 'title' },
  { name: 'Subordinates', filter: 'subordinates' },
] as const satisfies { name: string; filter: string; sort?: SortColumn }[]

const grid = { role: 'treegrid' }
const group = { role: 'rowgroup' }
const head = { role: 'columnheader', scope: 'col' }

/** How the list lays out its rows, by the room it has. */
function useLayout(ruler: RefObject<HTMLElement | null>) {
  const isPhone = useMediaQuery('(width < 600px)')
  // What a page's list has on a wide screen; the first drawing need not wait to know.
  const [room, setRoom] = useState<ListLayout>('full')
  useLayoutEffect(() => {
    // Told in the frame that shows it, after its layout: to ask for the width would lay out the page once more.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width
      if (width) flushSync(() => setRoom(layoutFor(width)))
    })
    if (ruler.current) observer.observe(ruler.current)
    return () => observer.disconnect()
  }, [ruler])
  return isPhone ? 'cards' : room
}

/** Tells when the end of the list has come near and nothing is on its way. */
function EndOfList({ isBusy, onNear }: { isBusy: boolean; onNear: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => setNear(entries.at(-1)?.isIntersecting === true), { rootMargin: '1200px' })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (isNear && !isBusy) near()
  }, [isNear, isBusy])
  return <div ref={element} />
}

export function TicketList({ idProject, idParent, label, heading, actions, empty, onApproach }: TicketListProps) {
  const [view, change] = useTicketView()
  const { roots, rows, total, see } = useTicketRows(idProject, idParent, view)
  /** As wide as the list, and never higher: what is drawn for its width does not change it. */
  const ruler = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const layout = useLayout(ruler)
  const rowHeight = rowHeightOf(layout)
  const deepest = useMemo(() => rows.reduce((depth, row) => Math.max(depth, row.depth), 0), [rows])
  const longestCode = useMemo(
    () =>
      rows.reduce((length, row) => (row.kind === 'ticket' ? Math.max(length, `${row.ticket.pcode}-${row.ticket.id}`.length) : length), 0),
    [rows],
  )
  const scrollTo = useRef<(index: number) => void>(() => undefined)

  const tree = useTree(
    rows,
    index => scrollTo.current(index),
    view.open,
    open => change({ open }),
    onApproach,
  )
  const seen = useRef(see)
  useLayoutEffect(() => {
    seen.current = see
  })
  const { settle } = tree
  const onDrawn = useCallback(
    (first: number, end: number) => {
      settle()
      seen.current(first, end)
    },
    [settle],
  )
  const [isFiltering, setFiltering] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  useShortcuts([
    {
      keys: '/',
      label: 'Search the descriptions',
      run: () => {
        setFiltering(true)
        requestAnimationFrame(() => search.current?.focus())
      },
    },
    { keys: 'j', label: 'Next ticket', run: () => tree.step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => tree.step(-1) },
  ])

  const columnProps = { idProject, view, onChange: change, search }
  const filtered = isFiltered(view)
  const isEmpty = roots.isSuccess && rows.length === 0
  return (
    <section aria-label={label}>
      <div className={styles.line}>
        <div className={styles.heading}>{heading}</div>
        {/* A phone has the actions beside the heading and the filters on a line of their own. */}
        {layout === 'cards' && <div className={styles.break} />}
        <div className={classNames(styles.tools, layout === 'cards' && styles.below)}>
          {layout === 'cards' && (
            <Button
              aria-expanded={isFiltering}
              className={filtered ? styles.filtered : undefined}
              onClick={() => setFiltering(!isFiltering)}
            >
              <FilterIcon />
              FILTER
            </Button>
          )}
          {filtered && total !== undefined && layout !== 'cards' && <div className={styles.count}>{formatNumber(total)} matching</div>}
          <LabelledCheckBox
            label="My Tickets"
            checked={view.mine}
            onChange={event => change({ mine: event.target.checked })}
            className={styles.mine}
          />
          <ViewSelector onChange={change} />
        </div>
        {actions && <div className={styles.tools}>{actions}</div>}
      </div>
      {layout === 'cards' && isFiltering && (
        <Card className={styles.filters}>
          {columns.map(column => (
            <div key={column.name} className={classNames(styles.filter, column.filter === 'title' && styles.wide)}>
              <div className={styles.name}>
                <ColumnName column={column} {...columnProps} />
              </div>
              <ColumnFilter column={column} {...columnProps} />
            </div>
          ))}
        </Card>
      )}
      <TooltipArea>
        {/* `clip` keeps the corners round without making a scroll container that the sticky head would stick to. */}
        <Card className={styles.table}>
          <div ref={ruler} />
          <table
            {...grid}
            aria-label={label}
            aria-rowcount={roots.hasNextPage ? -1 : rows.length + 2}
            aria-busy={roots.isFetching}
            className={`ticket-table ${layout}`}
            style={{ '--depth': deepest, '--code': longestCode } as React.CSSProperties}
            data-stale={roots.isPlaceholderData || undefined}
            ref={tree.ref}
            onKeyDown={tree.onKeyDown}
            onClick={tree.onClick}
            onAuxClick={tree.onAuxClick}
            onMouseDown={tree.onMouseDown}
            onPointerDown={tree.onPointerDown}
            onPointerOver={tree.onPointerOver}
            onPointerLeave={tree.onPointerLeave}
            onFocus={tree.onFocus}
          >
            {layout === 'cards' ? (
              <thead {...group} className="unseen">
                <HeadRow>
                  {columns.map(({ name }) => (
                    <th key={name} {...head}>
                      {name}
                    </th>
                  ))}
                </HeadRow>
              </thead>
            ) : (
              <ListHead {...columnProps} />
            )}
            <tbody {...group} ref={body}>
              {roots.isPending && <SkeletonRows columns={8} rows={12} height={rowHeight} />}
              <TicketRows body={body} rows={rows} rowHeight={rowHeight} current={tree.current} scrollTo={scrollTo} onDrawn={onDrawn} />
              {roots.isFetchingNextPage && <SkeletonRows columns={8} rows={3} height={rowHeight} />}
            </tbody>
          </table>
          {roots.isError && !roots.data && <ErrorState message={roots.error.message} onRetry={() => void roots.refetch()} />}
          {roots.isFetchNextPageError && (
            <ErrorState
              dense
              title="The next tickets could not be loaded"
              message={roots.error?.message}
              onRetry={() => void roots.fetchNextPage()}
            />
          )}
          {isEmpty &&
            (filtered ? (
              <EmptyState
                icon={<SearchIcon />}
                title="No ticket matches"
                action={<Button onClick={() => change({ ...plainView, sort: view.sort, open: view.open })}>CLEAR FILTERS</Button>}
              >
                There are tickets here, but none that fits all of the filters above.
              </EmptyState>
            ) : (
              empty
            ))}
          {roots.hasNextPage && !roots.isFetchNextPageError && (
            <EndOfList key={rows.length} isBusy={roots.isFetching} onNear={() => void roots.fetchNextPage()} />
          )}
        </Card>
      </TooltipArea>
      <Unseen role="status">
        {roots.isPending
          ? 'Loading tickets'
          : total === undefined
            ? ''
            : `${formatNumber(total)} ${total === 1 ? 'ticket' : 'tickets'} listed`}
      </Unseen>
    </section>
  )
}

interface ColumnProps {
  idProject: number
  view: TicketView
  onChange: ReturnType<typeof useTicketView>[1]
  search: RefObject<HTMLInputElement | null>
}
type Column = (typeof columns)[number]

function ColumnName({ column, view, onChange }: ColumnProps & { column: Column }) {
  if (!('sort' in column)) return column.name
  const { sort } = column
  return (
    <SortButton column={sort} sort={view.sort} onCycle={() => onChange(newest => ({ ...newest, sort: cycleSort(newest.sort, sort) }))} />
  )
}
function ColumnFilter({ column: { filter }, search, ...props }: ColumnProps & { column: Column }) {
  return <TicketFilter name={filter} {...props} {...(filter === 'title' && { inputRef: search })} />
}

/** The names of the columns and their filters; not drawn again when a row gets the focus. */
const ListHead = memo(function ListHead(props: ColumnProps) {
  return (
    <thead {...group}>
      <HeadRow>
        {columns.map(column => {
          const slot = 'sort' in column ? props.view.sort.find(({ Column }) => Column === column.sort) : undefined
          return (
            <th
              key={column.name}
              {...head}
              className={column.filter}
              {...(slot && { 'aria-sort': slot.Direction === 'asc' ? 'ascending' : 'descending' })}
            >
              <ColumnName column={column} {...props} />
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

function rowElement(table: HTMLTableElement | null, key: string) {
  return table?.querySelector<HTMLElement>(`tr[data-key="${key}"]`)
}

/** A pointer or a focus that stays on a row this long means it, in milliseconds. */
const restful = 100

type ShownTicket = Extract<Row, { kind: 'ticket' }>

/** The keys, clicks and focus of the treegrid: one tab stop, arrows between rows, right and left open and close. */
function useTree(
  rows: Row[],
  scrollTo: (index: number) => void,
  open: number[],
  setOpen: (open: number[]) => void,
  onApproach?: () => void,
) {
  const ref = useRef<HTMLTableElement>(null)
  const wanted = useRef<string>(undefined)
  const [chosen, setChosen] = useState<string>()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const position = rows.findIndex(row => row.key === chosen && row.kind === 'ticket')
  const current = position < 0 ? undefined : chosen

  // A row far away is in the page only after the list has scrolled there.
  const settle = useCallback(() => {
    const row = wanted.current !== undefined && rowElement(ref.current, wanted.current)
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }, [])

  const rowOf = (target: EventTarget) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('tr[data-key]') : null
    if (!element) return
    const index = Number(element.getAttribute('aria-rowindex')) - firstPosition
    const row = rows[index]
    return row?.kind === 'ticket' ? { row, index } : undefined
  }
  const moveTo = (index: number, direction: 1 | -1) => {
    let next = index
    while (rows[next] && rows[next]?.kind !== 'ticket') next += direction
    const row = rows[next]
    if (!row) return
    wanted.current = row.key
    if (!rowElement(ref.current, row.key)) scrollTo(next)
    setChosen(row.key)
  }
  const toggle = ({ ticket, isOpen }: ShownTicket) => setOpen(isOpen ? open.filter(id => id !== ticket.id) : [...open, ticket.id])
  const address = ({ ticket }: ShownTicket) => `/view-ticket/${ticket.id}`
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])
  // The ticket is under way before it is asked for.
  const fetchAhead = ({ ticket }: ShownTicket) => queries.prefetchQuery(callQuery(getTicketData, { idTicket: ticket.id }))
  const fetchAtRest = (row: ShownTicket | undefined) => {
    clearTimeout(rest.current)
    if (!row) return
    onApproach?.()
    rest.current = setTimeout(fetchAhead, restful, row)
  }
  const openTab = (row: ShownTicket) => void window.open(address(row), '_blank', 'noopener')
  const go = (row: ShownTicket, { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => {
    if (ctrlKey || metaKey) openTab(row)
    else void navigate(address(row))
  }

  return {
    ref,
    current,
    settle,
    step: (by: 1 | -1) => moveTo(position < 0 ? 0 : position + by, by),
    onFocus: ({ target }: React.FocusEvent) => {
      const found = rowOf(target)
      if (found) setChosen(found.row.key)
      fetchAtRest(found?.row)
    },
    onPointerOver: ({ target, pointerType }: React.PointerEvent) => {
      if (pointerType === 'mouse') fetchAtRest(rowOf(target)?.row)
    },
    onPointerLeave: () => clearTimeout(rest.current),
    onPointerDown: ({ target, button }: React.PointerEvent) => {
      const found = rowOf(target)
      if (!found || button !== 0 || (target instanceof Element && target.closest('button'))) return
      onApproach?.()
      void fetchAhead(found.row)
    },
    onClick: (event: MouseEvent) => {
      const found = rowOf(event.target)
      if (!found || !(event.target instanceof Element)) return
      if (event.target.closest('[data-toggle]')) return toggle(found.row)
      const isLink = event.target.closest('a') !== null
      // With a key held down the link does what the browser does with links.
      if (event.defaultPrevented || (isLink && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey))) return
      event.preventDefault()
      go(found.row, event)
    },
    // Anywhere in the row means the link that stands in it.
    onAuxClick: ({ target, button }: MouseEvent) => {
      const found = rowOf(target)
      if (found && button === 1 && target instanceof Element && !target.closest('a, button')) openTab(found.row)
    },
    onMouseDown: (event: MouseEvent) => {
      // A middle click would start to scroll.
      if (event.button === 1 && rowOf(event.target)) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const found = rowOf(event.target)
      if (!found || event.altKey || event.shiftKey) return
      const { row, index } = found
      const isParent = rowElement(ref.current, row.key)?.hasAttribute('aria-expanded') === true
      const act = () => {
        if (event.key === 'Enter') go(row, event)
        else if (event.key === 'ArrowDown') moveTo(index + 1, 1)
        else if (event.key === 'ArrowUp') moveTo(index - 1, -1)
        else if (event.key === 'Home') moveTo(0, 1)
        else if (event.key === 'End') moveTo(rows.length - 1, -1)
        else if (event.key === 'ArrowRight' && isParent) {
          if (row.isOpen) moveTo(index + 1, 1)
          else toggle(row)
        } else if (event.key === 'ArrowLeft') {
          if (row.isOpen) toggle(row)
          else if (row.depth > 0)
            moveTo(
              rows.slice(0, index).findLastIndex(({ depth }) => depth < row.depth),
              -1,
            )
        } else return false
        return true
      }
      if (act()) event.preventDefault()
    },
  }
}
