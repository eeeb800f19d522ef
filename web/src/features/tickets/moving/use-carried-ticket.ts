import { useEffect, useRef, useState } from 'react'
import { notify } from '../../../components/toaster/toaster.tsx'
import { nameOf } from '../ticket.ts'

interface InHand {
  by: 'keys' | 'pointer'
}

/** What is carried on a board, calendar or timeline, the `area`: somebody else may take it away, and the page may show something else. */
export function useCarriedTicket<Hand extends InHand>(area: string, announce: (words: string) => void) {
  const [hand, setHand] = useState<Hand>()
  // In a ref too, because the pointer moves faster than React renders, and its handlers were created at the lift.
  const held = useRef<Hand>(undefined)
  const take = (next: Hand | undefined) => {
    held.current = next
    setHand(next)
  }
  /** Ends the press by which the pointer carries the ticket. */
  const stopPress = useRef(() => {})
  useEffect(() => () => stopPress.current(), [])
  const letGo = () => {
    take(undefined)
    stopPress.current()
  }
  /** What is said of the ticket that keys carried, until the next key, which was meant for it. */
  const lost = useRef<string>(undefined)
  /** Somebody else took the ticket away. */
  const lose = ({ by }: InHand, ticket: Parameters<typeof nameOf>[0]) => {
    letGo()
    const words = `${nameOf(ticket)} is no longer on the ${area}`
    if (by === 'keys') lost.current = words
    notify.failure(new Error('Somebody else moved or deleted it'), words)
  }
  /** Whether a key was meant for the ticket that was taken away, not for the one that has the focus now; says so. */
  const isForLost = () => {
    if (lost.current === undefined) return false
    announce(`${lost.current}.`)
    lost.current = undefined
    return true
  }
  /** After a press, keys are meant for what is there now. */
  const forgetLost = () => {
    lost.current = undefined
  }
  return { hand, held, take, letGo, lose, stopPress, isForLost, forgetLost }
}
