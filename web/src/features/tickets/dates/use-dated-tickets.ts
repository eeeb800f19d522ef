import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CallError } from '../../../lib/calls/api.ts'
import type { TicketView } from '../list/view/ticket-view.ts'
import { useDateMoves } from './carrying/use-date-moves.ts'
import { type DatedRequest, type Days, datedQuery } from './dated-tickets.ts'
import { useEditRefusal } from './use-edit-refusal.ts'

/** What a calendar and a timeline get from the list whose layouts they are. */
export interface DatedLayoutProps {
  idProject: number
  view: TicketView
  onChange: (change: { group: string }) => void
  label: string
  /** Called with the error when the tickets could not be read, and with null when they could. */
  onError: (error: CallError | null) => void
}

interface DatedTicketsOptions extends Pick<DatedLayoutProps, 'idProject' | 'onError'> {
  request: DatedRequest
  /** The query of the view, which an error is about. */
  viewQuery: string
  /** Where a ticket with these days is, in the words of the screen. */
  wordsOf: (days: Days) => string
}

/** The tickets of a calendar or timeline, and their moves to other days. */
export function useDatedTickets({ idProject, request, viewQuery, wordsOf, onError }: DatedTicketsOptions) {
  const options = datedQuery(request, viewQuery.trim())
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  const { data, error } = query
  useEffect(() => onError(error), [onError, error])
  const refused = useEditRefusal(idProject)
  const moves = useDateMoves({ idProject, queryKey: options.queryKey, wordsOf })
  return {
    /** With the pending moves. Undefined while the first tickets are loading. */
    shown: data && moves.shownOf(data),
    /** What is shown may be that of other days. */
    isLoading: query.isPending || query.isPlaceholderData,
    isOfOtherDays: query.isPlaceholderData,
    /** Why no tickets can be shown. */
    problem: data ? null : error,
    refetch: () => void query.refetch(),
    moves,
    /** Why no ticket can be moved. */
    refused,
  }
}
