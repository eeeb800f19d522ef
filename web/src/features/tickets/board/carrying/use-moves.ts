import { useQueryClient } from '@tanstack/react-query'
import { getProjectData, getProjectRoles } from '@tessera/contract/projects/projects'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { CallError, callQuery } from '../../../../lib/calls/api.ts'
import { refetchAfter } from '../../../../lib/calls/live/refetch-after.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { useMoveQueue } from '../../moving/use-move-queue.ts'
import { nameOf } from '../../ticket.ts'
import { type Board, boardQuery, type Card, laneOf, type Move, moved, readPlaces } from '../data/board-data.ts'
import type { BoardRequest } from '../data/board-request.ts'
import { cellName } from '../lanes.ts'
import { changeOf, needsRole } from './board-change.ts'
import { isSameCell, refusalAt } from './carry.ts'
import { type Lifted, laneRefusalOf, refusalsOf } from './refusals.ts'

/** The question before a move is saved: in which role the person is assigned. */
export interface Question {
  card: Card
  person: string
  answer: (idRole: number | undefined) => void
}

interface Drop {
  /** As it was shown. */
  board: Board
  card: Card
  move: Move
  /** What `lift` reads. */
  lifting: Promise<Lifted>
  /** Called when the person answers the question by nothing. */
  onCanceled: () => void
}

/** Moves tickets: shown at once (optimistically), saved one after the other, reverted when the server refuses. */
export function useMoves(input: BoardRequest) {
  const { idProject, Group: group } = input
  const queries = useQueryClient()
  const save = useCallMutation(moveOnBoard, (_, { idTicket }) => {
    // The next lift reads it again.
    void queries.invalidateQueries({ queryKey: callQuery(getTicketData, { idTicket }).queryKey, refetchType: 'none' })
    refetchAfter(queries, { idProject, idTicket, kind: 'move-on-board' })
  })
  const { pending, isPending, settled, add } = useMoveQueue<Move>()
  const [question, ask] = useState<Question>()
  const { queryKey } = boardQuery(input)
  const isByState = group === 'State'

  /** Reads where the ticket may go and, where blockers may hold it, its blockers. */
  const lift = async (card: Card): Promise<Lifted> => {
    // What an earlier move of it changes is read after that.
    if (isPending(card.id)) await settled()
    const of = { idTicket: card.id }
    const isHeld = card.Blocked === 1 && isByState
    const [ticket, project, links] = await Promise.all([
      queries.fetchQuery({ ...callQuery(getTicketData, of), staleTime: 1000 }),
      queries.ensureQueryData(callQuery(getProjectData, { idProject })),
      isHeld ? queries.fetchQuery({ ...callQuery(getTicketLinks, of), staleTime: 1000 }) : [],
    ])
    return { ticket, project, links }
  }

  const askRole = async (card: Card, person: string) => {
    const roles = await queries.ensureQueryData(callQuery(getProjectRoles, { idProject }))
    if (roles.length === 1) return roles[0]?.id
    return new Promise<number | undefined>(answer => ask({ card, person, answer })).finally(() => ask(undefined))
  }

  const settle = async ({ board, card, move, lifting, onCanceled }: Drop) => {
    const { from, to } = move
    const home = board.columns.find(({ key }) => key === from.column)
    if (!home || !board.columns.some(({ key }) => key === to.column))
      throw new Error(`${nameOf(card)} was moved by somebody else meanwhile`)
    const lifted = await lifting
    const lanesBy = board.lanes?.by
    const refusals = refusalsOf(board, group, from.column, lifted)
    const reason = refusalAt({ from, refusals, laneRefusal: laneRefusalOf(lanesBy, lifted) }, to)
    if (reason) throw new Error(`${nameOf(card)} cannot go to ${cellName(board, to, from)}. ${reason}.`)
    const way = { group, lanesBy, from, to }
    const isAsked = needsRole(lifted, way)
    const person = group === 'Assignee' ? { ...from, column: to.column } : { ...from, lane: to.lane }
    const idRole = isAsked ? await askRole(card, cellName(board, person, from)) : undefined
    if (isAsked && idRole === undefined) return onCanceled()
    const { change, back } = changeOf(lifted, way, idRole)
    const cell = home.cards.filter(one => laneOf(one) === from.lane)
    const before = cell[cell.findIndex(({ id }) => id === card.id) - 1]?.id ?? null
    const { Version, States } = await save.mutateAsync({ idTicket: card.id, ...change, After: move.after, Version: lifted.ticket.Version })
    queries.setQueryData(queryKey, now => now && moved(now, move, isByState))
    const takeBack = async () => {
      const change = { idTicket: card.id, ...back, Version }
      await save.mutateAsync({ ...change, After: before }).catch(problem => {
        // The card that stood above it is gone: it goes to the top of the column.
        if (before === null || problem.status !== 404) throw problem
        return save.mutateAsync({ ...change, After: null })
      })
      return `${nameOf(card)} is back in ${cellName(board, from, to)}`
    }
    // Only if the workflow leads back; without a new state it always does.
    const isWayBack = back.State === undefined || (States ?? []).some(({ id }) => id === back.State)
    const words = `${nameOf(card)} ${isSameCell(from, to) ? 'was moved' : `moved to ${cellName(board, to, from)}`}`
    if (isWayBack) notify.success(words, undo(takeBack))
    else notify.success(`${words}. The workflow has no way back to ${home.Label}.`)
  }

  const fail = async (card: Card, problem: Error) => {
    // Shows the present position before the message about it.
    if (problem instanceof CallError && problem.status === 404) await queries.invalidateQueries({ queryKey })
    else await readPlaces(queries, input, [card.id]).catch(() => undefined)
    const meanwhile = conflictOf(problem)
    notify.failure(meanwhile ? new Error(`${nameOf(card)} ${meanwhile}`) : problem)
  }

  return {
    lift,
    question,
    pending,
    /** The board with the pending moves. */
    shownOf: (board: Board) => pending.reduce((shown, move) => moved(shown, move, isByState), board),
    isPending,
    drop: (dropped: Drop) =>
      add(
        dropped.move,
        () => settle(dropped),
        problem => fail(dropped.card, problem),
      ),
  }
}

/** Who moved the ticket in the meantime, and where to. */
function conflictOf(problem: Error) {
  if (!(problem instanceof CallError) || problem.status !== 409) return
  const { Conflicts, State } = problem.body as { Conflicts?: { Field: string; ChangedBy: string }[]; State?: string }
  const conflict = Conflicts?.[0]
  if (!conflict) return
  return conflict.Field === 'State'
    ? `was moved to ${State} by ${conflict.ChangedBy} meanwhile`
    : `was changed by ${conflict.ChangedBy} meanwhile`
}
