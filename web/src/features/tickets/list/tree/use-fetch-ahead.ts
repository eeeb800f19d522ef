import { useQueryClient } from '@tanstack/react-query'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { useEffect, useRef } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'

/** A pointer or focus that stays on a row this long counts as intent, in milliseconds. */
const restful = 100

/** Reads a ticket before it is opened. */
export function useFetchAhead() {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  const now = (idTicket: number) => void queries.prefetchQuery(callQuery(getTicketData, { idTicket }))
  return {
    now,
    /** Unless it is canceled, or another ticket is wanted, within a moment. */
    soon: (idTicket: number) => {
      cancel()
      timer.current = setTimeout(now, restful, idTicket)
    },
    cancel,
  }
}
