import type { QueryClient } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { counted } from '../../../../lib/display/format.ts'
import { followPress } from '../../../../lib/input/follow-press.ts'
import { dragGhost, scrollWindowAtEdge } from '../../moving/drag-ghost.ts'
import { moveTickets } from '../../moving/move-tickets.ts'
import { clearSelection, countSelected, type Selection } from '../../selection/selection.ts'
import type { TicketRow } from '../tree/rows.ts'
import { rowAt } from '../tree/rows.ts'

type Drop = { row: HTMLElement; parent: number | null; words: string } | null

interface DragOptions {
  /** The press on a row. */
  down: PointerEvent
  table: HTMLElement
  rows: () => readonly TicketRow[]
  /** The ticket whose children the list shows. */
  root: number | null
  selection: Selection
  idProject: number
  queries: QueryClient
}

/** Follows a press on a row until the pointer is released, Escape is pressed, or it turns out to be something else. */
export function followDrag({ down, table, rows, root, selection, idProject, queries }: DragOptions) {
  const found = rowAt(down.target, rows())
  if (!found || (down.target instanceof Element && down.target.closest('button, input'))) return
  const { ticket } = found.row
  const isOfMany = selection.all !== undefined || (selection.ids.has(ticket.id) && selection.ids.size > 1)
  const ids = isOfMany ? selection.ids : new Set([ticket.id])
  const isTooMany = ids.size > limits.movesAtOnce || selection.all !== undefined
  /** The dragged rows that are visible; the server checks the others. */
  const dragged = () =>
    [...rows().entries()].flatMap(([index, row]) => (row.kind === 'ticket' && ids.has(row.ticket.id) ? [{ index, row }] : []))
  let drop: Drop = null
  const mark = (next: Drop) => {
    drop?.row.removeAttribute('data-drop')
    next?.row.setAttribute('data-drop', '')
    drop = next
  }
  const dropAt = (element: Element | null): Drop => {
    if (!element || !table.contains(element) || isTooMany) return null
    const isElsewhere = (parent: number | null) => dragged().some(({ row }) => row.ticket.idParent !== parent)
    const head = element.closest('thead')
    if (head) return isElsewhere(root) ? { row: head, parent: root, words: root === null ? 'To the top' : 'Out of the parent' } : null
    const target = rowAt(element, rows())
    if (!target || !isElsewhere(target.row.ticket.id) || dragged().some(({ index }) => isWithin(rows(), index, target.index))) return null
    const { id, pcode } = target.row.ticket
    return { row: target.element, parent: id, words: `Under ${pcode}-${id}` }
  }
  const words = document.createElement('small')
  followPress(down, {
    lift: () => dragGhost(isOfMany ? counted(countSelected(selection), 'ticket') : `${ticket.pcode}-${ticket.id} ${ticket.Title}`, words),
    over: (x, y) => {
      mark(dropAt(document.elementFromPoint(x, y)))
      words.replaceChildren(drop?.words ?? (isTooMany ? 'Too many: use MOVE' : 'Not here'))
      words.parentElement?.toggleAttribute('data-refused', drop === null)
    },
    scroll: scrollWindowAtEdge,
    end: isDropped => {
      const target = drop
      mark(null)
      if (!isDropped || !target) return
      void moveTickets(queries, { idProject, pcode: ticket.pcode, tickets: [...ids], idParent: target.parent }).then(
        () => ids.size > 1 && clearSelection(idProject),
        (problem: Error) => notify.failure(problem),
      )
    },
  })
}

/** Whether one row is the other or below it in the tree. */
function isWithin(rows: readonly TicketRow[], index: number, other: number) {
  const depth = rows[index]?.depth ?? 0
  if (other === index) return true
  return other > index && rows.slice(index + 1, other + 1).every(row => row.depth > depth)
}
