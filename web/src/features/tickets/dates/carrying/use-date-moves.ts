import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { needsPermission, ticketTrashed } from '@tessera/contract/refusals'
import { getTicketData, type QueriedTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { CallError, callQuery } from '../../../../lib/calls/api.ts'
import { refetchAfter } from '../../../../lib/calls/live/refetch-after.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { useMoveQueue } from '../../moving/use-move-queue.ts'
import type { Ticket } from '../../ticket.ts'
import { nameOf } from '../../ticket.ts'
import { type DatedTickets, type DateMove, type Days, moved } from '../dated-tickets.ts'

interface DateMovesOptions {
  idProject: number
  /** That of `datedQuery`. */
  queryKey: QueryKey
  /** Where a ticket with these days is, in the words of the screen. */
  wordsOf: (days: Days) => string
}

/** Moves tickets to other days: shown at once, saved one after the other, taken back when the server refuses. */
export function useDateMoves({ idProject, queryKey, wordsOf }: DateMovesOptions) {
  const queries = useQueryClient()
  const save = useCallMutation(setTicketData, (_, { idTicket }) => {
    // The next lift reads it again.
    void queries.invalidateQueries({ queryKey: callQuery(getTicketData, { idTicket }).queryKey, refetchType: 'none' })
    refetchAfter(queries, { idProject, idTicket, kind: 'set-ticket-data' })
  })
  const { pending, isPending, settled, add } = useMoveQueue<DateMove>()

  /** Reads the ticket's version, and what refuses the move. */
  const lift = async ({ id }: QueriedTicket): Promise<Ticket> => {
    // What an earlier move of it changes is read after that.
    if (isPending(id)) await settled()
    return queries.fetchQuery({ ...callQuery(getTicketData, { idTicket: id }), staleTime: 1000 })
  }

  const settle = async (ticket: QueriedTicket, { id, from, to }: DateMove, lifting: Promise<Ticket>) => {
    const name = nameOf(ticket)
    const lifted = await lifting
    const reason = refusalOf(lifted, to)
    if (reason) throw new Error(`${name} cannot be moved. ${reason}.`)
    const { Version } = await save.mutateAsync({ idTicket: id, data: { ...to }, Version: lifted.Version })
    queries.setQueryData<DatedTickets>(queryKey, now => now && moved(now, { id, from, to }))
    const takeBack = async () => {
      await save.mutateAsync({ idTicket: id, data: { ...from }, Version })
      return `${name} is back on ${wordsOf(from)}`
    }
    notify.success(`${name} moved to ${wordsOf(to)}`, undo(takeBack))
  }

  const fail = async (ticket: QueriedTicket, problem: Error) => {
    // Shows the present days before the message about them.
    await queries.invalidateQueries({ queryKey })
    const by = changedBy(problem)
    notify.failure(by === undefined ? problem : new Error(`${nameOf(ticket)} was changed by ${by} meanwhile`))
  }

  return {
    lift,
    isPending,
    /** The tickets with the pending moves. */
    shownOf: (tickets: DatedTickets) => pending.reduce(moved, tickets),
    drop: (ticket: QueriedTicket, move: DateMove, lifting: Promise<Ticket>) =>
      add(
        move,
        () => settle(ticket, move, lifting),
        problem => fail(ticket, problem),
      ),
  }
}

/** Why the ticket's days cannot be changed. The server decides the same. */
function refusalOf({ Trashed, Fields, Type, Permissions }: Ticket, to: Days) {
  if (Trashed) return ticketTrashed
  if (!Object.keys(to).every(key => Fields.some(({ Key }) => Key === key))) return `${Type} tickets do not have this field`
  if (!Permissions.includes(permission.editTickets)) return needsPermission(permission.editTickets)
  return undefined
}

/** Who changed a day in the meantime. */
function changedBy(problem: Error) {
  if (!(problem instanceof CallError) || problem.status !== 409) return
  return (problem.body as { Conflicts?: { ChangedBy: string }[] }).Conflicts?.[0]?.ChangedBy
}
