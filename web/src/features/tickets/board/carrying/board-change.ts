import type { Request } from '@tessera/contract/call'
import type { moveOnBoard } from '@tessera/contract/tickets/board'
import type { Cell, LaneKind } from '../data/board-data.ts'
import type { Lifted } from './refusals.ts'

type Change = Pick<Request<typeof moveOnBoard>, 'State' | 'data' | 'TicketAssign' | 'Labels'>
type Assignments = NonNullable<Change['TicketAssign']>
type Labels = NonNullable<Change['Labels']>

/** From one cell to another of a board that is grouped by `State`, `Assignee` or a field. */
interface Way {
  group: string
  lanesBy: LaneKind | undefined
  from: Cell
  to: Cell
}
/** The change of a ticket, and the one that undoes it. */
interface Both {
  change: Change
  back: Change
}

/** The people between whom a move goes, '' for nobody; undefined if it is between other things. */
function peopleOf({ group, lanesBy, from, to }: Way) {
  const person = (lane: string) => (lane === 'none' ? '' : lane)
  if (group === 'Assignee') return { from: from.column, to: to.column }
  return lanesBy === 'Assignee' ? { from: person(from.lane), to: person(to.lane) } : undefined
}

/** Whether the user has to choose a role. */
export function needsRole({ ticket }: Lifted, way: Way) {
  const people = peopleOf(way)
  if (!people || people.to === '' || people.from === people.to) return false
  return !ticket.Assignees.some(({ idUser }) => String(idUser) === people.from)
}

/** How a move changes the ticket, and the change that undoes it. */
export function changeOf(lifted: Lifted, way: Way, idRole?: number): Both {
  const { group, lanesBy, from, to } = way
  const people = peopleOf(way)
  const parts: Both[] = []
  if (people && people.from !== people.to) parts.push(changeOfPeople(lifted, people, idRole))
  if (group !== 'Assignee' && from.column !== to.column) parts.push(changeOfColumn(lifted, group, to.column))
  if (lanesBy === 'Label' && from.lane !== to.lane) parts.push(changeOfLabels(lifted, from.lane, to.lane))
  return {
    change: Object.assign({}, ...parts.map(({ change }) => change)),
    back: Object.assign({}, ...parts.map(({ back }) => back)),
  }
}

function changeOfColumn({ ticket }: Lifted, group: string, to: string): Both {
  if (group === 'State') return { change: { State: Number(to) }, back: { State: ticket.idState } }
  const before = ticket.Fields.find(({ Key }) => Key === group)?.Value ?? ''
  return { change: { data: { [group]: to } }, back: { data: { [group]: before } } }
}

function changeOfPeople({ ticket }: Lifted, { from, to }: { from: string; to: string }, idRole: number | undefined): Both {
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

function changeOfLabels({ ticket }: Lifted, from: string, to: string): Both {
  // Dropping a ticket on "no label" removes all labels.
  const leaving = ticket.Labels.filter(({ idLabel }) => to === 'none' || String(idLabel) === from).map(({ idLabel }) => idLabel)
  const coming = to === 'none' || ticket.Labels.some(({ idLabel }) => String(idLabel) === to) ? [] : [Number(to)]
  const label = (ids: readonly number[], Enabled: 0 | 1): Labels => ids.map(idLabel => ({ idLabel, Enabled }))
  return {
    change: { Labels: [...label(leaving, 0), ...label(coming, 1)] },
    back: { Labels: [...label(coming, 0), ...label(leaving, 1)] },
  }
}
