import { swallowClick } from '../../../../lib/swallow-click.ts'
import { firstPosition } from '../rows/ticket-row.tsx'
import type { TicketRow } from '../rows/use-ticket-rows.ts'
import styles from './row-drag.module.css'

/** A mouse that moves this far drags, in pixels; a finger has to rest on the row first, in milliseconds. */
const threshold = 5
const hold = 400
/** So near to the edge of the window the page scrolls, in pixels. */
const edge = 70
const step = 12

type Rows = () => readonly TicketRow[]
type Drop = { row: HTMLElement; parent: number | null; words: string } | null

/** Follows a press on a row until the pointer is released, Escape is pressed, or it turns out to be something else. */
export function followDrag(
  down: PointerEvent,
  table: HTMLElement,
  rows: Rows,
  root: number | null,
  onDrop: (idTicket: number, idParent: number | null) => void,
) {
  const found = rowAt(down.target, rows)
  if (!found || (down.target instanceof Element && down.target.closest('button, input'))) return
  const { index, row } = found
  const { ticket } = row
  const end = new AbortController()
  const { signal } = end
  const isMouse = down.pointerType === 'mouse'
  let ghost: HTMLElement | undefined
  let drop: Drop = null
  let at = { x: down.clientX, y: down.clientY }

  const begin = () => {
    ghost = document.createElement('div')
    ghost.className = styles.ghost ?? ''
    ghost.append(`${ticket.pcode}-${ticket.id} ${ticket.Title}`, document.createElement('small'))
    document.body.append(ghost)
    getSelection()?.removeAllRanges()
    scroll()
    show()
  }
  const timer = isMouse ? undefined : setTimeout(begin, hold)
  const finish = () => {
    clearTimeout(timer)
    end.abort()
    ghost?.remove()
    mark(null)
  }
  const mark = (next: Drop) => {
    drop?.row.removeAttribute('data-drop')
    next?.row.setAttribute('data-drop', '')
    drop = next
  }
  const show = () => {
    if (!ghost) return
    ghost.style.translate = `${at.x + 12}px ${at.y + 12}px`
    mark(dropAt(document.elementFromPoint(at.x, at.y)))
    ghost.lastElementChild?.replaceChildren(drop?.words ?? 'Not here')
    ghost.toggleAttribute('data-refused', drop === null)
  }
  const dropAt = (element: Element | null): Drop => {
    if (!element || !table.contains(element)) return null
    const head = element.closest('thead')
    if (head)
      return ticket.idParent === root ? null : { row: head, parent: root, words: root === null ? 'To the top' : 'Out of its parent' }
    const target = rowAt(element, rows)
    if (!target || target.row.ticket.id === ticket.idParent || isWithin(rows(), index, target.index)) return null
    const { id, pcode } = target.row.ticket
    return { row: target.element, parent: id, words: `Under ${pcode}-${id}` }
  }
  const scroll = () => {
    if (signal.aborted) return
    const way = at.y < edge ? -step : at.y > window.innerHeight - edge ? step : 0
    if (way !== 0) {
      window.scrollBy(0, way)
      show()
    }
    requestAnimationFrame(scroll)
  }

  document.addEventListener(
    'pointermove',
    event => {
      if (event.pointerId !== down.pointerId) return
      if (isMouse && event.buttons === 0) return finish()
      at = { x: event.clientX, y: event.clientY }
      const moved = Math.hypot(at.x - down.clientX, at.y - down.clientY)
      if (ghost) show()
      else if (isMouse && moved > threshold) begin()
      // A finger that moves at once scrolls.
      else if (!isMouse && moved > 2 * threshold) finish()
    },
    { signal },
  )
  document.addEventListener(
    'pointerup',
    () => {
      const isDrag = ghost !== undefined
      const target = drop
      finish()
      if (!isDrag) return
      swallowClick()
      if (target) onDrop(ticket.id, target.parent)
    },
    { signal },
  )
  document.addEventListener('pointercancel', finish, { signal })
  document.addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape' || !ghost) return
      event.preventDefault()
      finish()
      document.addEventListener('pointerup', swallowClick, { once: true })
    },
    { signal, capture: true },
  )
  const whileDragging = (event: Event) => ghost && event.preventDefault()
  document.addEventListener('touchmove', whileDragging, { signal, passive: false })
  for (const type of ['selectstart', 'contextmenu']) document.addEventListener(type, whileDragging, { signal })
}

function rowAt(target: EventTarget | null, rows: Rows) {
  const element = target instanceof Element ? target.closest<HTMLElement>('tr[data-key]') : null
  if (!element) return undefined
  const index = Number(element.getAttribute('aria-rowindex')) - firstPosition
  const row = rows()[index]
  return row?.kind === 'ticket' ? { row, index, element } : undefined
}

/** Whether one row is the other or stands below it in the tree. */
function isWithin(rows: readonly TicketRow[], index: number, other: number) {
  const depth = rows[index]?.depth ?? 0
  if (other === index) return true
  return other > index && rows.slice(index + 1, other + 1).every(row => row.depth > depth)
}
