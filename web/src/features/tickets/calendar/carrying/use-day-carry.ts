import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { addDays } from '../../../../lib/display/days.ts'
import { followPress } from '../../../../lib/input/follow-press.ts'
import { dragGhost, scrollWindowAtEdge } from '../../moving/drag-ghost.ts'
import { dayName } from '../days/calendar-days.ts'
import { nameOf, type useDateMoves } from './use-date-moves.ts'

interface CarryOptions {
  days: readonly string[]
  tickets: readonly QueriedTicket[]
  isLoading: boolean
  moves: ReturnType<typeof useDateMoves>
  /** Why nothing can be carried at all. */
  refused: string | undefined
  announce: (words: string) => void
  /** Shows the month or week before or after. Returns whether there is one. */
  onTurn: (by: 1 | -1) => boolean
  /** Called when the ticket was dropped on a day. */
  onDropped: (idTicket: number, day: string) => void
}

interface Hand {
  by: 'keys' | 'pointer'
  ticket: QueriedTicket
  from: string
  /** Undefined where it cannot be dropped. */
  to: string | undefined
}

const ways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Carries a ticket from day to day, by pointer or keys. Nothing moves before the drop. */
export function useDayCarry(options: CarryOptions) {
  const { days, tickets, isLoading, moves, refused, announce, onTurn, onDropped } = options
  const [hand, setHand] = useState<Hand>()
  // In refs, because the pointer moves faster than React renders, and its handlers were created at the lift.
  const held = useRef<Hand>(undefined)
  const lifting = useRef<ReturnType<typeof moves.lift>>(undefined)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const take = (next: Hand | undefined) => {
    held.current = next
    setHand(next)
  }
  const lift = (by: Hand['by'], ticket: QueriedTicket, from: string) => {
    const known = latest.current.moves.lift(ticket)
    lifting.current = known
    take({ by, ticket, from, to: from })
    known.catch((problem: Error) => {
      // After the drop, the move reports it.
      if (lifting.current !== known || !held.current) return
      take(undefined)
      notify.failure(problem)
    })
  }
  const putBack = () => {
    if (!held.current) return
    announce(`${nameOf(held.current.ticket)} is back where it was.`)
    take(undefined)
  }
  const drop = () => {
    const now = held.current
    const known = lifting.current
    if (!now || !known) return
    if (!now.to || now.to === now.from) return putBack()
    take(undefined)
    latest.current.moves.drop(now.ticket, { id: now.ticket.id, from: now.from, to: now.to }, known)
    onDropped(now.ticket.id, now.to)
  }
  // Somebody else may delete the ticket or take it out of sight.
  const isInSight = hand !== undefined && !isLoading && days.includes(hand.from)
  const isGone = isInSight && !tickets.some(({ id }) => id === hand.ticket.id)
  useLayoutEffect(() => {
    if (!isGone || !held.current) return
    announce(`${nameOf(held.current.ticket)} is no longer on the calendar.`)
    take(undefined)
  }, [isGone])

  /** Returns whether the key was handled here. */
  const onKeyDown = (event: KeyboardEvent, ticket: QueriedTicket, day: string): boolean => {
    const { key } = event
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || hand?.by === 'pointer') return false
    const now = held.current
    if (key === ' ') {
      if (event.repeat) return true
      if (now) drop()
      else if (refused) announce(refused)
      else {
        lift('keys', ticket, day)
        announce(`Lifted ${nameOf(ticket)}, ${dayName(day)}. Arrow keys move it, space drops it, escape puts it back.`)
      }
      return true
    }
    if (!now) return false
    const by = ways[key]
    if (key === 'Escape') putBack()
    else if (by !== undefined) {
      const to = addDays(now.to ?? now.from, by)
      // A key that is held stops at the edge.
      const isShown = days.includes(to) || (!event.repeat && onTurn(by > 0 ? 1 : -1))
      if (isShown) take({ ...now, to })
      announce(isShown ? dayName(to) : `${dayName(now.to ?? now.from)} is at the edge of the calendar.`)
    }
    return key !== 'Tab'
  }

  const onPointerDown = ({ nativeEvent: down }: PointerEvent, ticket: QueriedTicket, day: string) => {
    if (down.button !== 0 || !down.isPrimary || refused || held.current) return
    const words = document.createElement('small')
    followPress(down, {
      lift: () => {
        lift('pointer', ticket, day)
        announce(`Lifted ${nameOf(ticket)}.`)
        return dragGhost(`${nameOf(ticket)} ${ticket.Title}`, words)
      },
      over: (x, y) => {
        const now = held.current
        const to = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]')?.dataset.day
        words.replaceChildren(to === undefined ? 'Not here' : dayName(to))
        words.parentElement?.toggleAttribute('data-refused', to === undefined)
        if (!now || now.to === to) return
        take({ ...now, to })
        if (to) announce(dayName(to))
      },
      scroll: scrollWindowAtEdge,
      end: isDropped => {
        if (isDropped) drop()
        else putBack()
      },
    })
  }

  return { hand, putBack, onKeyDown, onPointerDown }
}
