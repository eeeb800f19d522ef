import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isFocusNowhere } from '../../../../lib/input/keep-focus.ts'
import { nextOf, type TicketRow } from './rows.ts'

export interface RowFocusOptions {
  rows: TicketRow[]
  scrollTo: (index: number) => void
  /** The ticket whose row gets the focus once it is loaded, unless something else has it by then. */
  returnTo: number | undefined
}

/** The one row of the table that has the tab stop, and how the focus goes to another one. */
export function useRowFocus({ rows, scrollTo, returnTo }: RowFocusOptions) {
  const table = useRef<HTMLTableElement>(null)
  const wanted = useRef<string>(undefined)
  const [chosen, choose] = useState<string>()
  const position = rows.findIndex(row => row.key === chosen && row.kind === 'ticket')
  const elementOf = useCallback((key: string) => table.current?.querySelector<HTMLElement>(`tr[data-key="${key}"]`), [])

  // A distant row is rendered only after the list has scrolled there.
  const settle = useCallback(() => {
    const row = wanted.current !== undefined && elementOf(wanted.current)
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }, [elementOf])

  /** To the row at this index, or the next one in this direction that is a ticket. */
  const moveTo = (index: number, direction: 1 | -1) => {
    let next = index
    while (rows[next] && rows[next]?.kind !== 'ticket') next += direction
    const row = rows[next]
    if (!row) return
    wanted.current = row.key
    if (!elementOf(row.key)) scrollTo(next)
    choose(row.key)
  }

  /** The rows among which the chosen one was last. */
  const earlier = useRef(rows)
  /** A row has the focus, or had it until it was removed or a dialog opened. */
  const isHeld = useRef(false)
  const onFocus = (key: string) => {
    isHeld.current = true
    choose(key)
  }
  // A click on the page's background takes the focus away on purpose.
  const onBlur = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (target.isConnected && isFocusNowhere()) isHeld.current = false
    })
  // A row that leaves the list, because its ticket was changed, leaves its place to the next one.
  useEffect(() => {
    if (position >= 0 || chosen === undefined) {
      earlier.current = rows
      return
    }
    const next = rows[nextOf(chosen, earlier.current, rows)]
    if (!next) return
    const row = elementOf(next.key)
    // The element of the row that left may show another ticket by now.
    const reused = table.current?.querySelector('tr[data-key]:focus-within')
    const hasLost = isFocusNowhere() || (reused && reused !== row)
    // Not scrolled to: a person who has scrolled elsewhere meanwhile stays there.
    if (isHeld.current && hasLost) row?.focus({ preventScroll: true })
    choose(next.key)
  })

  const awaited = useRef(returnTo)
  useEffect(() => {
    if (awaited.current === undefined) return
    const index = rows.findIndex(row => row.kind === 'ticket' && row.ticket.id === awaited.current)
    if (index < 0) return
    awaited.current = undefined
    // The rows at the restored position are drawn with its scroll event, which comes before the next frame. Without them the row would be moved.
    requestAnimationFrame(() => {
      if (isFocusNowhere()) moveTo(index, 1)
    })
  })

  return { table, position, current: position < 0 ? undefined : chosen, onFocus, onBlur, settle, elementOf, moveTo }
}
