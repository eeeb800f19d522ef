import type { QueryClient } from '@tanstack/react-query'
import { moveTickets as call } from '@tessera/contract/tickets/moving'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { post } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'

interface Move {
  idProject: number
  /** The code of the project. */
  pcode: string
  tickets: readonly number[]
  /** The new parent; null is the top. */
  idParent: number | null
}

/** Moves tickets of a project under a parent or to the top, says so and offers UNDO. Rejects with a `CallError` when the server refuses. */
export async function moveTickets(queries: QueryClient, { idProject, pcode, tickets, idParent }: Move) {
  const store = async (Moves: { idTicket: number; idParent: number | null }[]) => {
    const { Before } = await post(call, { idProject, Moves })
    void queries.invalidateQueries()
    return Before
  }
  const before = await store(tickets.map(idTicket => ({ idTicket, idParent })))
  if (before.length === 0) return
  const what = before.length === 1 ? `Ticket ${pcode}-${before[0]?.idTicket}` : counted(before.length, 'ticket')
  notify.success(
    `${what} moved ${idParent === null ? 'to the top' : `under ${pcode}-${idParent}`}`,
    undo(() => store(before).then(() => `${what} moved back`)),
  )
}
