import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'
import { followPress } from '../../../../lib/input/follow-press.ts'
import type { useDateMoves } from '../../dates/carrying/use-date-moves.ts'
import { type Hand, useHand } from '../../dates/carrying/use-hand.ts'
import { dragGhost } from '../../moving/drag-ghost.ts'
import { nameOf } from '../../ticket.ts'
import { type Bar, barName, carried, isInSight, type Part, refusalOf, type TwoFields, valuesOf } from '../data/bar.ts'
import type { Window } from '../timeline-days.ts'
import { dayAt, scrollAcross } from './pointer-days.ts'

interface CarryOptions {
  fields: TwoFields
  window: Window
  tickets: readonly QueriedTicket[]
  scroller: RefObject<HTMLElement | null>
  /** The area of the days. */
  canvas: RefObject<HTMLElement | null>
  moves: ReturnType<typeof useDateMoves>
  /** Why nothing can be carried at all. */
  refused: string | undefined
  announce: (words: string) => void
  onDropped: (idTicket: number) => void
}

const ways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
/** The keys that choose what the arrow keys carry. */
const parts: Readonly<Record<string, { part: Part; words: string }>> = {
  s: { part: 'start', words: 'The arrow keys now carry its start only.' },
  e: { part: 'end', words: 'The arrow keys now carry its end only.' },
  b: { part: 'bar', words: 'The arrow keys now carry both its days.' },
}

/** Where a carried bar would go, in words. */
export function carriedTo({ from, to, reason }: Pick<Hand<Bar>, 'from' | 'to' | 'reason'>) {
  const days = barName(to ?? from)
  return reason ? `${days}. ${reason}.` : days
}

/** Carries a bar, or one end of it, from day to day, by pointer or keys. */
export function useBarCarry({ fields, window, tickets, scroller, canvas, moves, refused, announce, onDropped }: CarryOptions) {
  const [part, setPart] = useState<Part>('bar')
  const { hand, held, stopPress, isForLost, forgetLost, take, lift, putBack, drop } = useHand<Bar>({
    tickets,
    area: 'timeline',
    fields: `${fields.start.key}..${fields.end.key}`,
    isShown: bar => isInSight(bar, window),
    isSame: (one, other) => one.start === other.start && one.end === other.end,
    announce,
    onLift: moves.lift,
    onDrop: ({ ticket, from, to }, lifting) => {
      moves.drop(ticket, { id: ticket.id, from: valuesOf(from, to, fields), to: valuesOf(to, from, fields) }, lifting)
      onDropped(ticket.id)
    },
  })
  const liftByKeys = (ticket: QueriedTicket, bar: Bar) => {
    if (refused) return announce(refused)
    setPart('bar')
    lift('keys', ticket, bar)
    announce(
      `Lifted ${nameOf(ticket)}, ${barName(bar)}. Arrow keys move it by a day, with shift by a week; S or E moves only its start or end. Space drops it, escape puts it back.`,
    )
  }
  const step = (now: Hand<Bar>, by: number) => {
    const at = now.to ?? now.from
    const to = carried(at, part, by)
    if (!isInSight(to, window)) return announce(`${barName(at)} is at the edge of the timeline.`)
    const next = { ...now, to, reason: refusalOf(now.ticket, to) }
    take(next)
    announce(carriedTo(next))
  }

  /** Returns whether the key was handled here. */
  const onKeyDown = (event: KeyboardEvent, ticket: QueriedTicket, bar: Bar): boolean => {
    const { key } = event
    const now = held.current
    if (event.altKey || event.ctrlKey || event.metaKey || now?.by === 'pointer') return false
    if (isForLost()) return key !== 'Tab'
    if (!now) {
      if (key !== ' ' || event.shiftKey) return false
      if (!event.repeat) liftByKeys(ticket, bar)
      return true
    }
    const way = ways[key]
    const chosen = parts[key.toLowerCase()]
    if (key === 'Escape') putBack()
    else if (key === ' ' || key === 'Enter') {
      if (!event.repeat) drop()
    } else if (way !== undefined) step(now, event.shiftKey ? 7 * way : way)
    else if (chosen) {
      setPart(chosen.part)
      announce(chosen.words)
    }
    return key !== 'Tab'
  }

  const onPointerDown = ({ nativeEvent: down }: PointerEvent, ticket: QueriedTicket, bar: Bar, grabbed: Part) => {
    forgetLost()
    if (down.button !== 0 || !down.isPrimary || refused || held.current) return
    const words = document.createElement('small')
    let grabbedAt = 0
    stopPress.current = followPress(down, {
      lift: () => {
        grabbedAt = dayAt(canvas.current, window, down.clientX)
        setPart(grabbed)
        lift('pointer', ticket, bar)
        announce(`Lifted ${nameOf(ticket)}.`)
        return dragGhost(`${nameOf(ticket)} ${ticket.Title}`, words)
      },
      over: x => {
        const now = held.current
        if (!now) return
        const to = carried(now.from, grabbed, dayAt(canvas.current, window, x) - grabbedAt)
        if (!isInSight(to, window)) return
        const reason = refusalOf(ticket, to)
        words.replaceChildren(reason ?? barName(to))
        words.parentElement?.toggleAttribute('data-refused', reason !== undefined)
        if (now.to?.start === to.start && now.to.end === to.end) return
        take({ ...now, to, reason })
        announce(carriedTo({ ...now, to, reason }))
      },
      scroll: x => scrollAcross(scroller.current, canvas.current, x),
      end: isDropped => {
        if (isDropped) drop()
        else putBack()
      },
    })
  }

  return { hand, part, putBack, onKeyDown, onPointerDown }
}
