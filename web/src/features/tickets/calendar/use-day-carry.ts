import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { KeyboardEvent, PointerEvent } from 'react'
import { addDays } from '../../../lib/display/days.ts'
import { followPress } from '../../../lib/input/follow-press.ts'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import type { useDateMoves } from '../dates/carrying/use-date-moves.ts'
import { type Hand, useHand } from '../dates/carrying/use-hand.ts'
import { dayName } from '../dates/days/day-names.ts'
import { dragGhost, scrollWindowAtEdge } from '../moving/drag-ghost.ts'
import { nameOf } from '../ticket.ts'
import { daysOfArrow } from './calendar-days.ts'

interface CarryOptions {
  /** Of the field whose days are shown. */
  fieldKey: string
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

/** Carries a ticket from day to day, by pointer or keys. */
export function useDayCarry(options: CarryOptions) {
  const { fieldKey, days, tickets, isLoading, moves, refused, announce, onTurn, onDropped } = options
  const { hand, held, stopPress, isForLost, forgetLost, take, lift, putBack, drop } = useHand<string>({
    tickets,
    area: 'calendar',
    fields: fieldKey,
    isShown: day => !isLoading && days.includes(day),
    isSame: (one, other) => one === other,
    announce,
    onLift: moves.lift,
    onDrop: ({ ticket, from, to }, lifting) => {
      moves.drop(ticket, { id: ticket.id, from: { [fieldKey]: from }, to: { [fieldKey]: to } }, lifting)
      onDropped(ticket.id, to)
    },
  })

  const liftByKeys = (ticket: QueriedTicket, day: string) => {
    if (refused) return announce(refused)
    lift('keys', ticket, day)
    announce(`Lifted ${nameOf(ticket)}, ${dayName(day)}. Arrow keys move it, space drops it, escape puts it back.`)
  }
  const step = (now: Hand<string>, by: number, isHeldDown: boolean) => {
    const at = now.to ?? now.from
    const to = addDays(at, by)
    // A key that is held down stops at the edge.
    const isShown = days.includes(to) || (!isHeldDown && onTurn(by > 0 ? 1 : -1))
    if (isShown) take({ ...now, to })
    announce(isShown ? dayName(to) : `${dayName(at)} is at the edge of the calendar.`)
  }

  /** Returns whether the key was handled here. */
  const onKeyDown = (event: KeyboardEvent, ticket: QueriedTicket, day: string): boolean => {
    const { key, repeat } = event
    if (hasModifier(event) || hand?.by === 'pointer') return false
    if (isForLost()) return key !== 'Tab'
    const now = held.current
    if (key === ' ') {
      if (repeat) return true
      if (now) drop()
      else liftByKeys(ticket, day)
      return true
    }
    if (!now) return false
    const by = daysOfArrow[key]
    if (key === 'Escape') putBack()
    else if (by !== undefined) step(now, by, repeat)
    return key !== 'Tab'
  }

  const onPointerDown = ({ nativeEvent: down }: PointerEvent, ticket: QueriedTicket, day: string) => {
    forgetLost()
    if (down.button !== 0 || !down.isPrimary || refused || held.current) return
    const words = document.createElement('small')
    stopPress.current = followPress(down, {
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
