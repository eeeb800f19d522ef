import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { followPress } from '../../../../lib/input/follow-press.ts'
import styles from '../board-card.module.css'
import { type Layout, placeAt } from '../board-layout.ts'
import type { Board, Card } from '../data/board-data.ts'
import { aimed, type Hand, lifted, moveOf, restOf, slotOf, stepped } from './carry.ts'
import { refusalsOf } from './refusals.ts'
import { scrollAtEdge } from './scroll-at-edge.ts'
import { nameOf, type useMoves } from './use-moves.ts'

interface CarryOptions {
  scroller: RefObject<HTMLElement | null>
  board: Board
  layout: RefObject<Layout>
  group: string
  moves: ReturnType<typeof useMoves>
  /** Why nothing can be carried at all. */
  refused: string | undefined
  announce: (words: string) => void
  /** Called when the card was dropped, or put back by a key. */
  onLanded: (column: string, idTicket: number) => void
  /** Called after a long press that did not move the card. */
  onHeld: (card: Card) => void
}

/** Carries a card by pointer or keys. The board renders it. */
export function useCarry(options: CarryOptions) {
  const { board, moves, group, refused, announce, onLanded } = options
  const [hand, setHand] = useState<Hand>()
  // In refs, because the pointer moves faster than React renders, and the handlers were created at the lift.
  const held = useRef<Hand>(undefined)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const lifting = useRef<ReturnType<typeof moves.lift>>(undefined)

  const take = (next: Hand | undefined) => {
    held.current = next
    setHand(next)
  }
  const wordsOf = ({ to, ...of }: Hand, now = latest.current.board) => {
    const column = now.columns.find(({ key }) => key === to?.column)
    if (!to || !column) return 'Not here'
    const unloaded = now.lanes ? 0 : column.Total - column.cards.length
    return `${column.Label}, position ${to.index + 1} of ${restOf(now, to.column, of).length + 1 + unloaded}`
  }
  const lift = (by: Hand['by'], card: Card, column: string) => {
    const begun = lifted(latest.current.board, by, card, column)
    const known = moves.lift(card)
    lifting.current = known
    take(begun)
    known.then(
      about => {
        if (lifting.current !== known || !held.current) return
        const refusals = refusalsOf(latest.current.board, group, column, about)
        const now = held.current
        // The chosen column may turn out to refuse the card.
        const reason = now.to && now.to.column !== column ? refusals.get(now.to.column) : undefined
        take({ ...now, refusals, ...(reason && { to: by === 'keys' ? now.from : undefined, reason }) })
      },
      (problem: Error) => {
        // After the drop, the move reports it.
        if (lifting.current !== known || !held.current) return
        take(undefined)
        notify.failure(problem)
      },
    )
  }
  const putBack = () => {
    if (!held.current) return
    announce(`${nameOf(held.current.card)} is back where it was.`)
    take(undefined)
  }
  const drop = () => {
    const now = held.current
    const known = lifting.current
    if (!now || !known) return
    const shown = latest.current.board
    const move = moveOf(shown, now)
    const reason = now.to ? move && now.refusals?.get(now.to.column) : now.reason
    if (!move || reason) {
      const words = `${nameOf(now.card)} is back where it was`
      if (reason) notify.failure(new Error(reason), words)
      else announce(`${words}.`)
      take(undefined)
      return
    }
    take(undefined)
    // Its toast says where the card is now: the server may refuse the move.
    moves.drop(shown, now.card, move, known, () => {
      announce(`${nameOf(now.card)} is back where it was.`)
      onLanded(move.from, move.id)
    })
    onLanded(move.to, move.id)
  }

  return {
    hand,
    putBack,
    /** Returns whether the key was handled here. */
    onKeyDown: (event: KeyboardEvent, card: Card, column: string): boolean => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || hand?.by === 'pointer') return false
      const carried = held.current?.card
      if (carried && carried.id !== card.id) {
        if (board.columns.some(({ cards }) => cards.some(({ id }) => id === carried.id))) putBack()
        else {
          // Somebody else removed it from the board. The key was meant for it, not for the card that has the focus now.
          announce(`${nameOf(carried)} is no longer on the board.`)
          take(undefined)
          return event.key !== 'Tab'
        }
      }
      if (event.key === ' ') {
        if (event.repeat) return true
        if (held.current) drop()
        else if (refused) announce(refused)
        else {
          lift('keys', card, column)
          if (held.current)
            announce(`Lifted ${nameOf(card)}: ${wordsOf(held.current)}. Arrow keys move it, space drops it, escape puts it back.`)
        }
        return true
      }
      if (!held.current) return false
      if (event.key === 'Escape') {
        putBack()
        onLanded(column, card.id)
        return true
      }
      if (!event.key.startsWith('Arrow')) return event.key !== 'Tab'
      const next = stepped(board, held.current, event.key)
      if (!next) return true
      const now = { ...held.current, to: next.to }
      take(now)
      announce([...next.passed, wordsOf(now)].join('. '))
      return true
    },
    onPointerDown: ({ nativeEvent: down }: PointerEvent, element: HTMLElement, card: Card, column: string) => {
      if (down.button !== 0 || !down.isPrimary || refused || held.current) return
      const words = document.createElement('small')
      const { width } = element.getBoundingClientRect()
      followPress(down, {
        lift: () => {
          const ghost = ghostOf(element, width)
          ghost.append(words)
          lift('pointer', card, column)
          announce(`Lifted ${nameOf(card)}.`)
          return ghost
        },
        over: (x, y) => {
          const now = held.current
          const scroller = options.scroller.current
          if (!now || !scroller) return
          const at = pointedAt(scroller, options.layout.current, x, y)
          const { to, reason } = aimed(now, at)
          words.replaceChildren(reason ?? (to ? (at?.column.Label ?? '') : 'Not here'))
          words.parentElement?.toggleAttribute('data-refused', to === undefined)
          if (to?.column === now.to?.column && to?.index === now.to?.index && reason === now.reason) return
          take({ ...now, to, reason })
          if (to && to.column !== now.to?.column) announce(wordsOf({ ...now, to }))
        },
        scroll: (x, y) => scrollAtEdge(options.scroller.current, options.layout.current, x, y),
        end: isDropped => {
          if (!held.current) return
          const isResting = down.pointerType !== 'mouse' && isDropped && held.current.to !== undefined && !slotOf(held.current)
          if (isDropped) drop()
          else putBack()
          if (isResting) options.onHeld(card)
        },
      })
    },
  }
}

/** The copy of the card that follows the pointer. */
function ghostOf(card: HTMLElement, width: number) {
  const ghost = card.cloneNode(true) as HTMLElement
  for (const name of ['href', 'data-card', 'tabindex']) ghost.removeAttribute(name)
  ghost.setAttribute('aria-hidden', 'true')
  ghost.classList.add(styles.ghost ?? '')
  ghost.style.width = `${width}px`
  return ghost
}

/** The place on the board below the pointer; undefined outside the board. */
function pointedAt(scroller: HTMLElement, layout: Layout, x: number, y: number) {
  const box = scroller.getBoundingClientRect()
  const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
  return isInside ? placeAt(layout, x - box.left + scroller.scrollLeft, y - box.top + scroller.scrollTop) : undefined
}
