import { useEffect, useRef } from 'react'
import { notify } from '../../../components/toaster/toaster.tsx'
import { nameOf } from '../ticket.ts'

/** For tickets that are carried on a board, calendar or timeline, the `area`: somebody else may take them away, and the page may show something else. */
export function useTakenAway(area: string, announce: (words: string) => void) {
  /** Ends the press by which the pointer carries the ticket. */
  const stopPress = useRef(() => {})
  useEffect(() => () => stopPress.current(), [])
  /** What is said of the ticket that keys carried, until the next key, which was meant for it. */
  const lost = useRef<string>(undefined)
  /** Says that somebody else took the ticket away, which was carried `by`. */
  const sayTakenAway = (by: 'keys' | 'pointer', ticket: Parameters<typeof nameOf>[0]) => {
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
  return { stopPress, sayTakenAway, isForLost, forgetLost }
}
