import type { Request } from '@tessera/contract/call'
import type { moveOnBoard } from '@tessera/contract/tickets/board'
import type { Lifted } from './refusals.ts'

type Change = Pick<Request<typeof moveOnBoard>, 'State' | 'data' | 'TicketAssign'>
type Assignments = NonNullable<Change['TicketAssign']>

/** From one column to another of a board that is grouped by `State`, `Assignee` or a field. */
interface Way {
  group: string
  from: string
  to: string
}

/** Whether the user has to choose a role. */
export function needsRole({ ticket }: Lifted, { group, from, to }: Way) {
  return group === 'Assignee' && to !== '' && from !== to && !ticket.Assignees.some(({ idUser }) => String(idUser) === from)
}

/** How a move changes the ticket, and the change that undoes it. */
export function changeOf({ ticket }: Lifted, { group, from, to }: Way, idRole?: number): { change: Change; back: Change } {
  if (from === to) return { change: {}, back: {} }
  if (group === 'State') return { change: { State: Number(to) }, back: { State: ticket.idState } }
  if (group !== 'Assignee') {
    const before = ticket.Fields.find(({ Key }) => Key === group)?.Value ?? ''
    return { change: { data: { [group]: to } }, back: { data: { [group]: before } } }
  }
  const holds = (idUser: number, role: number) => ticket.Assignees.some(one => one.idUser === idUser && one.idRole === role)
  // Dropping a ticket on "nobody" removes all assignments.
  const leaving = ticket.Assignees.filter(({ idUser }) => to === '' || String(idUser) === from)
  const roles = idRole === undefined ? leaving.map(role => role.idRole) : [idRole]
  const coming = to === '' ? [] : roles.filter(role => !holds(Number(to), role)).map(role => ({ idUser: Number(to), idRole: role }))
  const assign = (pairs: readonly { idUser: number; idRole: number }[], Enabled: 0 | 1): Assignments =>
    pairs.map(pair => ({ idUser: pair.idUser, idRole: pair.idRole, Enabled }))
  return {
    change: { TicketAssign: [...assign(leaving, 0), ...assign(coming, 1)] },
    back: { TicketAssign: [...assign(coming, 0), ...assign(leaving, 1)] },
  }
}
