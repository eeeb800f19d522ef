import type { Response } from '@tessera/contract/call'
import type { getLinksBetween } from '@tessera/contract/tickets/links'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { nameOf } from '../../ticket.ts'
import { type Bar, firstOf, lastOf } from './bar.ts'

type Link = Response<typeof getLinksBetween>[number]

/** A ticket as it is shown: while it is carried, with the days that it would have. */
export interface Row {
  ticket: QueriedTicket
  bar: Bar
}

/** A link between two rows. */
export interface ShownLink {
  idFrom: number
  idTo: number
  /** The indexes of the rows. */
  from: number
  to: number
  /** What is wrong, in words: the first ticket ends after the second one starts, and neither is done. */
  conflict: string | undefined
}

const isDone = ({ ticket }: Row) => ticket.Phase === 3

/** The links of which both ends are shown, one for each pair of tickets. */
export function shownLinks(links: readonly Link[], rows: readonly Row[]): ShownLink[] {
  const indexes = new Map(rows.map(({ ticket }, index) => [ticket.id, index]))
  const pairs = new Map(links.map(link => [`${link.idFrom} ${link.idTo}`, link]))
  return [...pairs.values()].flatMap(({ idFrom, idTo }) => {
    const [from, to] = [indexes.get(idFrom), indexes.get(idTo)]
    const [before, after] = [rows[from ?? -1], rows[to ?? -1]]
    if (from === undefined || to === undefined || !before || !after) return []
    const isWrong = lastOf(before.bar) > firstOf(after.bar) && !isDone(before) && !isDone(after)
    const conflict = isWrong ? `${nameOf(before.ticket)} ends after ${nameOf(after.ticket)} starts` : undefined
    return [{ idFrom, idTo, from, to, conflict }]
  })
}

/** The conflicts of each ticket, by its id; `isOwn` where another ticket ends after it starts. */
export function conflictsOf(links: readonly ShownLink[]) {
  const conflicts = new Map<number, { words: string[]; isOwn: boolean }>()
  const add = (id: number, words: string, isOwn: boolean) => {
    const known = conflicts.get(id)
    conflicts.set(id, { words: [...(known?.words ?? []), words], isOwn: isOwn || known?.isOwn === true })
  }
  for (const { idFrom, idTo, conflict } of links) {
    if (conflict === undefined) continue
    add(idFrom, conflict, false)
    add(idTo, conflict, true)
  }
  return conflicts
}
