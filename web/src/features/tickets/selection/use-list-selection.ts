import type { MouseEvent, PointerEvent } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useActions } from '../../../lib/input/actions.ts'
import { swallowClick } from '../../../lib/input/pointer/swallow-click.ts'
import type { TicketRow } from '../list/tree/rows.ts'
import { rowAt } from '../list/tree/rows.ts'
import { clearSelection, selectRange, toggleSelected, useSelection } from './selection.ts'

/** A long press of this many milliseconds selects a row, unless the finger moves this far, in pixels. */
const hold = 400
const slack = 10

interface ListSelectionOptions {
  idProject: number
  rows: readonly TicketRow[]
  /** The row that has the focus, or had it last. */
  current: string | undefined
  /** The list has the children of a ticket: it does not show what is selected elsewhere in the project. */
  isOfTicket: boolean
}

/** Selecting rows of a list: check boxes, Shift and a click, a long press, keys. */
export function useListSelection({ idProject, rows, current, isOfTicket }: ListSelectionOptions) {
  const { isOn: isSelecting, ids } = useSelection(idProject)
  const isHere = () => rows.some(row => row.kind === 'ticket' && ids.has(row.ticket.id))
  const isOn = isSelecting && (!isOfTicket || isHere())
  const press = useRef<AbortController>(undefined)
  const latest = useRef(rows)
  useLayoutEffect(() => {
    latest.current = rows
  })
  useEffect(() => () => press.current?.abort(), [])

  const begin = () => {
    if (isOfTicket && !isOn) clearSelection(idProject)
  }
  const toggle = (idTicket: number) => {
    begin()
    toggleSelected(idProject, idTicket)
  }
  const selectUpTo = (idTicket: number) => {
    begin()
    const shown = latest.current.flatMap(row => (row.kind === 'ticket' ? [row.ticket.id] : []))
    selectRange(idProject, shown, idTicket)
  }
  const withCurrent = (select: (idTicket: number) => void) => {
    const row = rows.find(({ key }) => key === current) ?? rows.find(({ kind }) => kind === 'ticket')
    if (row?.kind === 'ticket') select(row.ticket.id)
  }
  useActions([
    { keys: 'x', label: 'Select the ticket', run: () => withCurrent(toggle) },
    { keys: 'X', label: 'Select all tickets up to this one', run: () => withCurrent(selectUpTo) },
    ...(isOn ? [{ keys: 'Escape', label: 'Select nothing', run: () => clearSelection(idProject) }] : []),
  ])

  return {
    isOn,
    /** Returns whether the click was for the selection. */
    onClick: (event: MouseEvent): boolean => {
      const { target } = event
      const row = rowAt(target, rows)?.row
      if (!row || !(target instanceof Element) || target.closest('[data-toggle]')) return false
      const isBox = target.closest('[data-select]') !== null
      const isLink = target.closest('a') !== null
      const isTap = isOn && event.currentTarget.matches('.cards')
      if (!isBox && !isTap && !(event.shiftKey && !isLink)) return false
      if (event.shiftKey) selectUpTo(row.ticket.id)
      else toggle(row.ticket.id)
      // The box itself is drawn as selected or not by its row; a link in a row that is tapped does not lead away.
      if (!isBox) event.preventDefault()
      return true
    },
    onMouseDown: (event: MouseEvent) => {
      // The browser would select the text in between.
      if (event.shiftKey && rowAt(event.target, rows)) event.preventDefault()
    },
    onPointerDown: ({ target, nativeEvent: down }: PointerEvent) => {
      const row = rowAt(target, rows)?.row
      if (!row || down.pointerType === 'mouse' || !down.isPrimary) return
      press.current?.abort()
      press.current = followHold(down, () => {
        // On a row that is selected by tapping, the click does it.
        if (isOn) return
        toggle(row.ticket.id)
        swallowClick()
      })
    },
  }
}

/** Calls back at the end of a long press. Returns what ends its observation. */
function followHold(down: globalThis.PointerEvent, onHeld: () => void) {
  const end = new AbortController()
  const { signal } = end
  const isNear = (event: globalThis.PointerEvent) => Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < slack
  document.addEventListener('pointermove', event => isNear(event) || end.abort(), { signal })
  document.addEventListener('pointercancel', () => end.abort(), { signal })
  document.addEventListener('contextmenu', event => event.preventDefault(), { signal })
  document.addEventListener(
    'pointerup',
    event => {
      end.abort()
      if (event.timeStamp - down.timeStamp >= hold) onHeld()
    },
    { signal },
  )
  return end
}
