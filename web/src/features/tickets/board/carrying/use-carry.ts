import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { followPress } from '../../../../lib/input/follow-press.ts'
import { hasModifier } from '../../../../lib/input/keys/has-modifier.ts'
import { nameOf } from '../../ticket.ts'
import styles from '../board-card.module.css'
import { type Layout, placeAt, stopOf } from '../board-layout.ts'
import type { Card } from '../data/board-data.ts'
import { cellName, hasOpenLanes } from '../lanes.ts'
import { aimed, type Hand, isSameCell, slotOf, stepped } from './carry.ts'
import { scrollAtEdge } from './scroll-at-edge.ts'
import { type HandOptions, useHand } from './use-hand.ts'

interface CarryOptions extends HandOptions {
  scroller: RefObject<HTMLElement | null>
  layout: RefObject<Layout>
  /** Why nothing can be carried at all. */
  refused: string | undefined
  /** Called after a long press that did not move the card. */
  onHeld: (card: Card) => void
}

/** Carries a card by pointer or keys. The board renders it. */
export function useCarry(options: CarryOptions) {
  const { board, refused, announce, onLanded } = options
  const { hand, held, stopPress, isForLost, forgetLost, take, wordsOf, lift, putBack, drop } = useHand(options)

  // The copy that follows the pointer says where the card would be dropped. When the refusals arrive, that changes while the pointer rests.
  const ghost = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    if (!hand || !ghost.current) return
    ghost.current.toggleAttribute('data-refused', hand.to === undefined)
    ghost.current.lastElementChild?.replaceChildren(hand.reason ?? (hand.to ? cellName(board, hand.to) : 'Not here'))
  }, [hand, board])

  const liftOrDrop = (card: Card, column: string) => {
    if (held.current) return drop()
    if (refused) return announce(refused)
    lift('keys', card, column)
    if (held.current) announce(`Lifted ${nameOf(card)}: ${wordsOf(held.current)}. Arrow keys move it, space drops it, escape puts it back.`)
  }
  const step = (from: Hand, key: string) => {
    // A card in a folded lane could not have the focus.
    const lanes = hasOpenLanes(board) ? options.layout.current.bands.filter(({ isCollapsed }) => !isCollapsed).map(band => band.key) : []
    const next = stepped(board, from, key, lanes)
    if (!next) return announce(`There is no other place for ${nameOf(from.card)} on this side.`)
    const now = { ...from, to: next.to }
    take(now)
    announce([...next.passed, wordsOf(now)].join('. '))
  }
  /** Returns whether the key was handled here. */
  const onKeyDown = (event: KeyboardEvent, card: Card, column: string): boolean => {
    const { key } = event
    if (hasModifier(event) || hand?.by === 'pointer') return false
    if (isForLost()) return key !== 'Tab'
    // Another card has the focus than the one that is carried.
    if (held.current && held.current.card.id !== card.id) putBack()
    if (key === ' ') {
      if (!event.repeat) liftOrDrop(card, column)
      return true
    }
    if (!held.current) return false
    if (key === 'Escape') {
      putBack()
      onLanded(stopOf(column, card))
    } else if (key.startsWith('Arrow')) step(held.current, key)
    return key !== 'Tab'
  }

  const onPointerDown = ({ nativeEvent: down }: PointerEvent, element: HTMLElement, card: Card, column: string) => {
    forgetLost()
    if (down.button !== 0 || !down.isPrimary || refused || held.current) return
    const { width } = element.getBoundingClientRect()
    stopPress.current = followPress(down, {
      lift: () => {
        ghost.current = ghostOf(element, width)
        lift('pointer', card, column)
        announce(`Lifted ${nameOf(card)}.`)
        return ghost.current
      },
      over: (x, y) => {
        const now = held.current
        const scroller = options.scroller.current
        if (!now || !scroller) return
        const { to, reason } = aimed(now, pointedAt(scroller, options.layout.current, x, y))
        const isSame = to && now.to ? isSameCell(to, now.to) && to.index === now.to.index : to === now.to
        if (isSame && reason === now.reason) return
        take({ ...now, to, reason })
        if (to && !(now.to && isSameCell(to, now.to))) announce(wordsOf({ ...now, to }))
      },
      scroll: (x, y) => scrollAtEdge(options.scroller.current, options.layout.current, x, y),
      end: isDropped => {
        ghost.current = undefined
        if (!held.current) return
        const isResting = down.pointerType !== 'mouse' && isDropped && held.current.to !== undefined && !slotOf(held.current)
        if (isDropped) drop()
        else putBack()
        if (isResting) options.onHeld(card)
      },
    })
  }

  return { hand, putBack, onKeyDown, onPointerDown }
}

/** The copy of the card that follows the pointer, with a line that says where it would go. */
function ghostOf(card: HTMLElement, width: number) {
  const ghost = card.cloneNode(true) as HTMLElement
  for (const name of ['href', 'data-card', 'tabindex']) ghost.removeAttribute(name)
  ghost.setAttribute('aria-hidden', 'true')
  ghost.classList.add(styles.ghost ?? '')
  ghost.style.width = `${width}px`
  ghost.append(document.createElement('small'))
  return ghost
}

/** The place on the board below the pointer; undefined outside the board. */
function pointedAt(scroller: HTMLElement, layout: Layout, x: number, y: number) {
  const box = scroller.getBoundingClientRect()
  const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
  return isInside ? placeAt(layout, x - box.left + scroller.scrollLeft, y - box.top + scroller.scrollTop) : undefined
}
