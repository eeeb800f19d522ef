import { queryTickets } from '@tessera/contract/tickets/tickets'
import { type CSSProperties, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Card } from '../../../components/card/card.tsx'
import { SkeletonRows } from '../../../components/skeleton/skeleton-rows.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { TooltipArea } from '../../../components/tooltip/tooltip-area.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { post } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { beginWalk, lastShown } from '../../../lib/navigation/list-walk.ts'
import { currentPage } from '../../../lib/navigation/navigation.ts'
import { LazySelectionBar } from '../selection/lazy-selection-bar.tsx'
import { matchingOf } from '../selection/selection.ts'
import { useListSelection } from '../selection/use-list-selection.ts'
import { BelowRows } from './below-rows.tsx'
import { useGoneColumn } from './columns/use-gone-column.ts'
import { useShownColumns } from './columns/use-shown-columns.ts'
import { useRowDrag } from './drag/use-row-drag.ts'
import { columnCount, group, HiddenHead, ListHead } from './list-head.tsx'
import { ListTools } from './list-tools.tsx'
import { NoMatch } from './no-match/no-match.tsx'
import { useColumnWidths } from './rows/column-widths.ts'
import { useLayout, useRowHeight } from './rows/list-layout.ts'
import { nameIfCut } from './rows/name-if-cut.ts'
import { TicketRows } from './rows/ticket-rows.tsx'
import { useRowKeys } from './rows/use-row-keys.ts'
import { TicketBoard } from './ticket-board.tsx'
import styles from './ticket-list.module.css'
import type { TicketListProps } from './ticket-list-props.ts'
import { ticketPages } from './tree/ticket-pages.ts'
import { useTicketRows } from './tree/use-ticket-rows.ts'
import { useTree } from './tree/use-tree.ts'
import { isFiltered, isTable, type TicketView } from './view/ticket-view.ts'
import { type ChangeView, useTicketView } from './view/use-ticket-view.ts'

const grid = { role: 'treegrid', 'aria-multiselectable': true }

export function TicketList(props: TicketListProps) {
  const [view, change] = useTicketView(props.idProject, props.idParent === undefined)
  const isBoard = !isTable(view.layout) && props.idParent === undefined
  return isBoard ? <TicketBoard {...props} view={view} onChange={change} /> : <TicketTable {...props} view={view} onChange={change} />
}

type TicketTableProps = TicketListProps & { view: TicketView; onChange: ChangeView }

function TicketTable({ idProject, idParent, label, heading, actions, empty, onApproach, view, onChange: change }: TicketTableProps) {
  const isOfTicket = idParent !== undefined
  const { input, roots, rows, total, see } = useTicketRows(idProject, idParent, view)
  /** As wide as the list, with a fixed height: its size does not depend on what is rendered for its width. */
  const ruler = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const { kind: layout, columns: room } = useLayout(ruler, isOfTicket)
  const added = useShownColumns(idProject, view.columns.slice(0, room).join())
  const rowHeight = useRowHeight(layout, added.length > 0)
  /** In each row that is still loading: one for a column, or for a line of a card. */
  const linesOfCard = added.length > 0 ? 3 : 2
  const bars = layout === 'cards' ? linesOfCard : columnCount + added.length
  const isFlat = view.layout !== 'tree'
  const widths = useColumnWidths(rows, isFlat)
  const scrollTo = useRef<(index: number) => void>(() => undefined)
  const list = ticketPages(input).queryKey

  const tree = useTree({
    rows,
    scrollTo: index => scrollTo.current(index),
    open: view.open,
    setOpen: open => change({ open }),
    onApproach,
    onOpen: shown => {
      const tickets = rows.flatMap(row => (row.kind === 'ticket' ? [row.ticket.id] : []))
      const cursor = roots.data?.pages.at(-1)?.NextCursor ?? null
      beginWalk({ list, tickets, cursor, read: Cursor => post(queryTickets, { ...input, Cursor }), shown })
    },
    // Going back leads to the row that was left.
    returnTo: currentPage().how === 'pop' ? lastShown(list) : undefined,
  })
  const selecting = useListSelection({ idProject, rows, current: tree.current, isOfTicket })
  const drag = useRowDrag(idProject, idParent ?? null, rows)
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
  const expandAll = () => {
    void import('./tree/expand-all.ts')
      .then(async loaded => change({ open: await loaded.expandAll(input, view) }))
      .catch(problem => notify.failure(problem))
  }
  const search = useRef<HTMLInputElement>(null)
  const focused = rows.find(row => row.key === tree.current)
  const filtered = isFiltered(view)
  // A ticket without children needs no columns, which would have the same names as the ticket's own facts.
  // While a filter is being taken away, what it found is still shown, and its field keeps the focus.
  const isBare = isOfTicket && !filtered && roots.isSuccess && !roots.isPlaceholderData && rows.length === 0
  useRowKeys({
    idProject,
    idTicket: focused?.kind === 'ticket' ? focused.ticket.id : undefined,
    open: tree.openCurrent,
    // On a ticket's page these keys belong to that ticket.
    isOff: isOfTicket,
  })
  useActions([
    {
      keys: 'f',
      label: 'Filter the descriptions',
      refused: isBare ? 'There are no child tickets' : undefined,
      run: () => {
        flushSync(() => setFiltering(true))
        search.current?.focus()
      },
    },
    { keys: 'j', label: 'Next ticket', run: () => tree.step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => tree.step(-1) },
    { keys: '↓ ↑ → ←', label: 'Move among the tickets, open and close their children' },
    { keys: 'Enter', label: 'Open the ticket' },
  ])

  const columnProps = { idProject, view, onChange: change, search, added }
  useGoneColumn(roots.error, view, change)
  return (
    <section aria-label={label}>
      <ListTools
        {...columnProps}
        isPhone={layout === 'cards'}
        isCompact={layout === 'cards' || layout === 'compact'}
        heading={heading}
        actions={actions}
        matching={filtered ? total : undefined}
        isFiltering={isFiltering}
        onFilter={setFiltering}
        hasBoard={!isOfTicket}
        onExpandAll={expandAll}
        error={roots.error}
      />
      <TooltipArea>
        <Card className={styles.table}>
          <div ref={ruler} />
          <table
            {...grid}
            aria-label={label}
            aria-rowcount={roots.hasNextPage ? -1 : rows.length + (isBare ? 0 : 2)}
            aria-busy={roots.isFetching}
            data-selecting={selecting.isOn || undefined}
            className={`ticket-table ${layout}${added.length > 0 ? ' more' : ''}`}
            style={{ ...widths, '--row': `${rowHeight}px`, '--added': added.length } as CSSProperties}
            data-stale={roots.isPlaceholderData || undefined}
            ref={tree.ref}
            onKeyDown={tree.onKeyDown}
            onClick={event => selecting.onClick(event) || tree.onClick(event)}
            onAuxClick={tree.onAuxClick}
            onMouseDown={event => {
              selecting.onMouseDown(event)
              tree.onMouseDown(event)
            }}
            onPointerDown={event => {
              tree.onPointerDown(event)
              drag(event)
              selecting.onPointerDown(event)
            }}
            // The row is dragged, not the link in it.
            onDragStart={event => event.preventDefault()}
            onPointerOver={event => {
              tree.onPointerOver(event)
              nameIfCut(event.target)
            }}
            onPointerLeave={tree.onPointerLeave}
            onFocus={tree.onFocus}
            onBlur={tree.onBlur}
          >
            {!isBare &&
              (layout === 'cards' ? (
                <HiddenHead added={added} />
              ) : (
                <ListHead {...columnProps} hasFilters={!isOfTicket || !roots.isPending} />
              ))}
            <tbody {...group} ref={body}>
              {roots.isPending && <SkeletonRows columns={bars} rows={isOfTicket ? 3 : 12} height="var(--row)" />}
              <TicketRows
                idProject={idProject}
                body={body}
                rows={rows}
                added={added}
                columns={columnCount + added.length}
                rowHeight={rowHeight}
                isFlat={isFlat}
                current={tree.current}
                scrollTo={scrollTo}
                onDrawn={onDrawn}
              />
              {roots.isFetchingNextPage && <SkeletonRows columns={bars} rows={3} height="var(--row)" />}
            </tbody>
          </table>
          <BelowRows roots={roots} rows={rows} empty={filtered ? <NoMatch idProject={idProject} view={view} onChange={change} /> : empty} />
        </Card>
      </TooltipArea>
      {selecting.isOn && <LazySelectionBar idProject={idProject} matching={matchingOf(input, filtered)} isOfTicket={isOfTicket} />}
      <VisuallyHidden role="status">
        {roots.isPending && 'Loading tickets'}
        {!roots.isPending && total !== undefined && `${counted(total, isOfTicket ? 'child ticket' : 'ticket')} listed`}
      </VisuallyHidden>
    </section>
  )
}
