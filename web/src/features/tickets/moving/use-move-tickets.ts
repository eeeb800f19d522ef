import { moveTickets } from '@tessera/contract/tickets/moving'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { useCallMutation } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'

/** Moves tickets of a project under a parent, or to the top with null, says so and offers UNDO. Rejects when the server refuses. */
export function useMoveTickets(idProject: number, pcode: string) {
  const move = useCallMutation(moveTickets)
  const run = async (ids: readonly number[], idParent: number | null) => {
    const { Before } = await move.mutateAsync({ idProject, Moves: ids.map(idTicket => ({ idTicket, idParent })) })
    if (Before.length === 0) return
    const what = Before.length === 1 ? `Ticket ${pcode}-${Before[0]?.idTicket}` : counted(Before.length, 'ticket')
    notify.success(
      `${what} moved ${idParent === null ? 'to the top' : `under ${pcode}-${idParent}`}`,
      undo(() => move.mutateAsync({ idProject, Moves: Before }).then(() => `${what} moved back`)),
    )
  }
  return { run, isPending: move.isPending, error: move.error }
}
