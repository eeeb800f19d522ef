import { hashKey, useQueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { useEffect, useEffectEvent } from 'react'
import { refetchInBackground } from '../../../../lib/calls/background.ts'
import { isConcerned, isListed } from '../../../../lib/calls/live/concerned.ts'
import { watchTickets } from '../../../../lib/calls/live/watch-tickets.ts'
import { boardQuery, type Card, readPlaces } from './board-data.ts'
import type { BoardRequest } from './board-request.ts'

/** Maximum number of tickets to read again one by one. */
const mostAsked = 200

/** Whether a card may look different after a change of these tickets: they may have blocked it, and its lane has the title of its parent. */
function dependsOn({ Blocked, Lane }: Card, ids: readonly number[], { Lanes }: BoardRequest) {
  return Blocked === 1 || (Lanes === 'Parent' && typeof Lane === 'number' && ids.includes(Lane))
}

/** Applies live changes that leave other tickets as they were; after any other change the board is refetched like every query. */
export function useLiveTickets(idProject: number, input: BoardRequest) {
  const queries = useQueryClient()
  const take = useEffectEvent((changes: readonly Required<LiveEvent>[]) => {
    const { queryKey } = boardQuery(input)
    // If other tickets depend on the change, the board is refetched as well.
    const single = changes.filter(change => isListed(change, input) && !isConcerned({ queryKey }, change))
    const ids = [...new Set(single.map(({ idTicket }) => idTicket))]
    if (ids.length === 0) return
    const readWhole = () => void refetchInBackground(queries, ({ queryHash }) => queryHash === hashKey(queryKey))
    // An answer that is still under way may be older than the change.
    if (queries.isFetching({ queryKey, exact: true }) > 0) return readWhole()
    const board = queries.getQueryData(queryKey)
    const others = board?.columns.flatMap(({ cards }) => cards.filter(card => dependsOn(card, ids, input)).map(({ id }) => id)) ?? []
    const asked = [...new Set([...ids, ...others])]
    if (asked.length > mostAsked) return readWhole()
    readPlaces(queries, input, asked).catch(readWhole)
  })
  useEffect(() => watchTickets(changes => take(changes.filter(change => change.idProject === idProject))), [idProject])
}
