import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { useCarriedTicket } from '../../moving/use-carried-ticket.ts'
import type { Ticket } from '../../ticket.ts'
import { nameOf } from '../../ticket.ts'

/** A ticket that is carried. */
export interface Hand<Place> {
  by: 'keys' | 'pointer'
  ticket: QueriedTicket
  from: Place
  /** Undefined where it cannot be dropped. */
  to: Place | undefined
  /** Why it cannot be dropped there. */
  reason?: string | undefined
}

interface HandOptions<Place> {
  /** Those in sight. */
  tickets: readonly QueriedTicket[]
  /** What they are carried on: `calendar`. */
  area: string
  /** The keys of the fields whose days are carried. */
  fields: string
  /** Whether a ticket at this place is one of them. */
  isShown: (place: Place) => boolean
  isSame: (one: Place, other: Place) => boolean
  announce: (words: string) => void
  /** Reads what the drop needs; called at the lift. */
  onLift: (ticket: QueriedTicket) => Promise<Ticket>
  /** Called when the ticket was dropped elsewhere. */
  onDrop: (hand: Hand<Place> & { to: Place }, lifting: Promise<Ticket>) => void
}

/** The ticket that is carried by pointer or keys, and what can be done with it. Nothing moves before the drop. */
export function useHand<Place>(options: HandOptions<Place>) {
  const { tickets, area, fields, isShown, announce } = options
  const { hand, held, take, letGo, lose, ...carried } = useCarriedTicket<Hand<Place>>(area, announce)
  const lifting = useRef<Promise<Ticket>>(undefined)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const lift = (by: Hand<Place>['by'], ticket: QueriedTicket, from: Place) => {
    const known = latest.current.onLift(ticket)
    lifting.current = known
    take({ by, ticket, from, to: from })
    known.catch((problem: Error) => {
      // After the drop, the move reports it.
      if (lifting.current !== known || !held.current) return
      letGo()
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
    if (now.reason) notify.failure(new Error(now.reason), `${nameOf(now.ticket)} is back where it was`)
    if (now.reason || now.to === undefined || latest.current.isSame(now.from, now.to)) return putBack()
    take(undefined)
    latest.current.onDrop({ ...now, to: now.to }, known)
  }
  // Somebody else may delete the ticket or take it out of sight.
  const isGone = hand !== undefined && isShown(hand.from) && !tickets.some(({ id }) => id === hand.ticket.id)
  useLayoutEffect(() => {
    const now = held.current
    if (isGone && now) lose(now, now.ticket)
  }, [isGone])
  // Somebody else may archive a field; its days are none of the field that is shown instead.
  const onOtherFields = useEffectEvent(() => putBack())
  useLayoutEffect(() => onOtherFields(), [fields])

  return { ...carried, hand, held, take, lift, putBack, drop }
}
