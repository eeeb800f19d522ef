import { useLayoutEffect, useRef } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { useCarriedTicket } from '../../moving/use-carried-ticket.ts'
import { nameOf } from '../../ticket.ts'
import type { Stop } from '../board-layout.ts'
import type { Board, Card } from '../data/board-data.ts'
import { type Hand, isSameCell, lifted, moveOf, type Place, placeInWords, refusalAt } from './carry.ts'
import { laneRefusalOf, refusalsOf } from './refusals.ts'
import type { useMoves } from './use-moves.ts'

export interface HandOptions {
  /** As it is shown. */
  board: Board
  /** With the cards that large lanes leave out. */
  loaded: Board
  group: string
  moves: ReturnType<typeof useMoves>
  announce: (words: string) => void
  /** Called when the card was dropped, or put back by a key; `from` is where it was lifted. */
  onLanded: (at: Stop, from?: Place) => void
}

/** The card that is carried, and what can be done with it; `use-carry.ts` does it by pointer or keys. */
export function useHand(options: HandOptions) {
  const { board, loaded, moves, group, announce, onLanded } = options
  const { held, take, letGo, lose, ...carried } = useCarriedTicket<Hand>('board', announce)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  // Somebody else may delete the state, option, member or label of the column or lane that the card is over.
  useLayoutEffect(() => {
    const now = held.current
    const to = now?.to
    if (!now || !to) return
    const hasColumn = board.columns.some(({ key }) => key === to.column)
    const hasLane = to.lane === now.from.lane || board.lanes?.ids.some(id => String(id ?? 'none') === to.lane)
    if (hasColumn && hasLane) return
    const reason = `This ${hasColumn ? 'lane' : 'column'} is no longer on the board`
    take({ ...now, to: undefined, reason })
    announce(`${reason}.`)
  }, [board])
  useLayoutEffect(() => {
    const now = held.current
    if (!now || loaded.columns.some(({ cards }) => cards.some(({ id }) => id === now.card.id))) return
    lose(now, now.card)
  }, [loaded])
  const lifting = useRef<ReturnType<typeof moves.lift>>(undefined)

  const wordsOf = (of: Hand) => placeInWords(latest.current.loaded, of)
  const lift = (by: Hand['by'], card: Card, column: string) => {
    const begun = lifted(latest.current.board, by, card, column)
    const known = moves.lift(card)
    lifting.current = known
    take(begun)
    known.then(
      about => {
        if (lifting.current !== known || !held.current) return
        const shown = latest.current.board
        const laneRefusal = laneRefusalOf(shown.lanes?.by, about)
        const now = { ...held.current, refusals: refusalsOf(shown, group, column, about), laneRefusal }
        // The chosen cell may turn out to refuse the card.
        const reason = now.to && !isSameCell(now.to, now.from) ? refusalAt(now, now.to) : undefined
        take({ ...now, ...(reason && { to: by === 'keys' ? now.from : undefined, reason }) })
      },
      (problem: Error) => {
        // After the drop, the move reports it.
        if (lifting.current !== known || !held.current) return
        letGo()
        notify.failure(problem)
      },
    )
  }
  const putBack = () => {
    if (!held.current) return
    announce(`${nameOf(held.current.card)} is back where it was.`)
    take(undefined)
  }
  const drop = () => {
    const now = held.current
    const known = lifting.current
    if (!now || !known) return
    const shown = latest.current.board
    const move = moveOf(shown, now)
    const reason = now.to ? move && refusalAt(now, now.to) : now.reason
    if (!move || reason) {
      const words = `${nameOf(now.card)} is back where it was`
      if (reason) notify.failure(new Error(reason), words)
      else announce(`${words}.`)
      take(undefined)
      return
    }
    take(undefined)
    // Its toast says where the card is now: the server may refuse the move.
    moves.drop({
      board: shown,
      card: now.card,
      move,
      lifting: known,
      onCanceled: () => {
        announce(`${nameOf(now.card)} is back where it was.`)
        onLanded({ ...move.from, id: move.id })
      },
    })
    onLanded({ ...move.to, id: move.id }, now.from)
  }

  return { ...carried, held, take, wordsOf, lift, putBack, drop }
}
