import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { hasModifier } from '../../../../lib/input/keys/has-modifier.ts'
import { navigate } from '../../../../lib/navigation/navigation.ts'
import type { TicketRow as Row } from './rows.ts'
import { rowAt } from './rows.ts'
import { useFetchAhead } from './use-fetch-ahead.ts'
import { type RowFocusOptions, useRowFocus } from './use-row-focus.ts'

type ShownTicket = Extract<Row, { kind: 'ticket' }>

interface TreeOptions extends RowFocusOptions {
  /** The tickets whose children are shown. */
  open: number[]
  setOpen: (open: number[]) => void
  /** Called when the pointer or the focus reaches a row, whose ticket may be opened next. */
  onApproach: (() => void) | undefined
  /** Called when the ticket is about to replace the list. */
  onOpen: (idTicket: number) => void
}

/** The keys, clicks and focus of the treegrid: one tab stop, arrows between rows, right and left open and close. */
export function useTree({ rows, scrollTo, open, setOpen, onApproach, onOpen, returnTo }: TreeOptions) {
  const { table, position, current, onFocus, onBlur, settle, elementOf, moveTo } = useRowFocus({ rows, scrollTo, returnTo })
  const fetchAhead = useFetchAhead()

  const toggle = ({ ticket, isOpen }: ShownTicket) => setOpen(isOpen ? open.filter(id => id !== ticket.id) : [...open, ticket.id])
  const address = ({ ticket }: ShownTicket) => `/view-ticket/${ticket.id}`
  const approach = (row: ShownTicket | undefined) => {
    if (!row) return fetchAhead.cancel()
    onApproach?.()
    fetchAhead.soon(row.ticket.id)
  }
  const openTab = (row: ShownTicket) => void window.open(address(row), '_blank', 'noopener')
  const go = (row: ShownTicket, { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => {
    if (ctrlKey || metaKey) openTab(row)
    else {
      onOpen(row.ticket.id)
      void navigate(address(row))
    }
  }
  /** What the key does on a ticket's row; undefined for other keys. */
  const actionOf = (event: KeyboardEvent, { row, index }: { row: ShownTicket; index: number }) => {
    switch (event.key) {
      case 'Enter':
        return () => go(row, event)
      case 'ArrowDown':
        return () => moveTo(index + 1, 1)
      case 'ArrowUp':
        return () => moveTo(index - 1, -1)
      case 'Home':
        return () => moveTo(0, 1)
      case 'End':
        return () => moveTo(rows.length - 1, -1)
      case 'ArrowRight':
        // Only a parent can be opened.
        if (!elementOf(row.key)?.hasAttribute('aria-expanded')) return undefined
        return () => (row.isOpen ? moveTo(index + 1, 1) : toggle(row))
      case 'ArrowLeft': {
        const parent = rows.slice(0, index).findLastIndex(({ depth }) => depth < row.depth)
        return () => (row.isOpen ? toggle(row) : moveTo(parent, -1))
      }
    }
    return undefined
  }

  return {
    ref: table,
    current,
    settle,
    openCurrent: () => {
      const row = rows[position]
      if (row?.kind === 'ticket') go(row, { ctrlKey: false, metaKey: false })
    },
    step: (by: 1 | -1) => moveTo(position < 0 ? 0 : position + by, by),
    onFocus: ({ target }: FocusEvent) => {
      const found = rowAt(target, rows)
      if (found) onFocus(found.row.key)
      approach(found?.row)
    },
    onBlur,
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') approach(rowAt(target, rows)?.row)
    },
    onPointerLeave: fetchAhead.cancel,
    onPointerDown: ({ target, button }: PointerEvent) => {
      const found = rowAt(target, rows)
      if (!found || button !== 0 || (target instanceof Element && target.closest('button'))) return
      onApproach?.()
      fetchAhead.now(found.row.ticket.id)
    },
    onClick: (event: MouseEvent) => {
      const found = rowAt(event.target, rows)
      if (!found || !(event.target instanceof Element)) return
      if (event.target.closest('[data-toggle]')) return toggle(found.row)
      const isLink = event.target.closest('a') !== null
      // With a key held down the link does what the browser does with links.
      if (event.defaultPrevented || (isLink && hasModifier(event))) return
      event.preventDefault()
      go(found.row, event)
    },
    // A click anywhere in the row counts as a click on its link.
    onAuxClick: ({ target, button }: MouseEvent) => {
      const found = rowAt(target, rows)
      if (found && button === 1 && target instanceof Element && !target.closest('a, button')) openTab(found.row)
    },
    onMouseDown: (event: MouseEvent) => {
      // A middle click would start to scroll.
      if (event.button === 1 && rowAt(event.target, rows)) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const found = rowAt(event.target, rows)
      if (!found || event.altKey || event.shiftKey) return
      const act = actionOf(event, found)
      if (!act) return
      event.preventDefault()
      act()
    },
  }
}
