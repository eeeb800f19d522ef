import { useQueryClient } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { type PointerEvent, useLayoutEffect, useRef } from 'react'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'
import { selectionOf } from '../../selection/selection.ts'
import type { TicketRow } from '../tree/rows.ts'

/**
 * Starts dragging the pressed row or, if it is selected, the whole selection. Dropped on another row the tickets become its children, on the list's
 * header they move to the `root` of the list. By keyboard, the ticket's menu moves a ticket and MOVE the selection.
 */
export function useRowDrag(idProject: number, root: number | null, rows: readonly TicketRow[]) {
  const session = useSession()
  const mayMove = mayInProject(session, idProject, permission.editTickets)
  const latest = useRef(rows)
  useLayoutEffect(() => {
    latest.current = rows
  })
  const queries = useQueryClient()
  return ({ currentTarget: table, nativeEvent: down }: PointerEvent<HTMLElement>) => {
    if (!mayMove || down.button !== 0 || !down.isPrimary) return
    const ended = new AbortController()
    for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, () => ended.abort(), { signal: ended.signal })
    // The code for dragging is loaded with the first press; if the press has ended by then, it was a click.
    void import('./row-drag.ts').then(
      ({ followDrag }) => {
        if (ended.signal.aborted) return
        followDrag({ down, table, rows: () => latest.current, root, selection: selectionOf(idProject), idProject, queries })
      },
      () => undefined,
    )
  }
}
