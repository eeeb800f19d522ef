import type { Request, Response } from '@tessera/contract/call'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import type { TicketLabel } from '@tessera/contract/projects/labels'
import { needsPermission } from '@tessera/contract/refusals'
import type { Phase } from '@tessera/contract/scalars'
import type { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'

export type Ticket = Response<typeof getTicketData>
type Save = Request<typeof setTicketData>
export type Assignment = NonNullable<Save['TicketAssign']>[number]

/** `OPS-42`. */
export function nameOf({ pcode, id }: { pcode: string; id: number }) {
  return `${pcode}-${id}`
}

/** A person in a role. */
export type Pair = Pick<Assignment, 'idUser' | 'idRole'>

export function isSamePair(one: Pair, other: Pair) {
  return one.idUser === other.idUser && one.idRole === other.idRole
}

/** Why the person may not do this to the ticket; undefined when they may. `blocked` is the reason why nobody may at present. */
export function refusalOf({ Permissions }: Pick<Ticket, 'Permissions'>, needed: PermissionId, blocked: string | undefined) {
  if (blocked) return blocked
  return Permissions.includes(needed) ? undefined : needsPermission(needed)
}

/** A permission that saving these changes needs and the person lacks. */
export function missingFor(changed: Partial<TicketDraft>, { Permissions }: Pick<Ticket, 'Permissions'>) {
  const special: Partial<Record<DraftField, PermissionId>> = { State: permission.changeState, TicketAssign: permission.assignPeople }
  const needed = (Object.keys(changed) as DraftField[]).map(field => special[field] ?? permission.editTickets)
  return needed.find(id => !Permissions.includes(id))
}

export type LabelChange = NonNullable<Save['Labels']>[number]

/** The editable part of a ticket; fields are named as a conflict names them. */
export interface TicketDraft {
  Title: string
  Type: number
  State: number
  /** The pairs to add or remove, not the complete list: other people's assignments in the meantime stay. */
  TicketAssign: Assignment[]
  /** The same for labels. */
  Labels: LabelChange[]
  [data: `data.${string}`]: string
}
export type DraftField = keyof TicketDraft & string

/** The labels a ticket carries after `changes`, by name; `known` names those that are added. */
export function carriedLabels(carried: readonly TicketLabel[], changes: readonly LabelChange[], known: readonly TicketLabel[]) {
  const changeOf = new Map(changes.map(({ idLabel, Enabled }) => [idLabel, Enabled]))
  const kept = carried.filter(({ idLabel }) => changeOf.get(idLabel) !== 0)
  const added = known.filter(({ idLabel }) => changeOf.get(idLabel) === 1 && !carried.some(label => label.idLabel === idLabel))
  return [...kept, ...added].sort((one, other) => one.Label.localeCompare(other.Label, 'en'))
}
/** The changes after which the ticket carries exactly the labels with these ids. */
export function labelChanges(carried: readonly TicketLabel[], ids: readonly number[]): LabelChange[] {
  const now = carried.map(({ idLabel }) => idLabel)
  return [
    ...now.filter(id => !ids.includes(id)).map(idLabel => ({ idLabel, Enabled: 0 as const })),
    ...ids.filter(id => !now.includes(id)).map(idLabel => ({ idLabel, Enabled: 1 as const })),
  ]
}

/**
 * The request for `set-ticket-data`: the changed fields only. `version` is that of the last load, even for edits begun before it: a field that has
 * changed since then would show as a clash.
 */
export function saveRequest(idTicket: number, changed: Partial<TicketDraft>, version: number): Save {
  const { Title, Type, State, TicketAssign, Labels, ...rest } = changed
  const data = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.slice('data.'.length), String(value)]))
  return {
    idTicket,
    ...(Title !== undefined && { Title: Title.trim() }),
    ...(Type !== undefined && { idTemplate: Type }),
    ...(State !== undefined && { State }),
    ...(TicketAssign && { TicketAssign }),
    ...(Labels && { Labels }),
    ...(Object.keys(data).length > 0 && { data }),
    Version: version,
  }
}

/**
 * The ticket after `sent` is stored, until the next load. If somebody else saved in between, it keeps its version: it does not have their changes, and
 * the next save must not look as if it knew them.
 */
export function withSaved(
  ticket: Ticket,
  sent: Save,
  answer: Response<typeof setTicketData>,
  states: readonly { id: number; Description: string; phase?: Phase }[],
  labels: readonly TicketLabel[] = [],
): Ticket {
  // It was read after this save and a later one.
  if (ticket.Version > answer.Version) return ticket
  const state = states.find(({ id }) => id === sent.State)
  const { idTemplate, Type, OtherTypes = [] } = ticket
  const type = OtherTypes.find(({ id }) => id === sent.idTemplate)
  return {
    ...ticket,
    Version: answer.Version <= (sent.Version ?? ticket.Version) + 1 ? answer.Version : ticket.Version,
    ...(sent.Title !== undefined && { Title: sent.Title }),
    ...(type && {
      idTemplate: type.id,
      Type: type.Description,
      OtherTypes: [{ id: idTemplate, Description: Type }, ...OtherTypes.filter(other => other !== type)],
    }),
    ...(sent.State !== undefined && {
      idState: sent.State,
      State: state?.Description ?? ticket.State,
      Phase: state?.phase ?? ticket.Phase,
    }),
    Labels: carriedLabels(ticket.Labels, sent.Labels ?? [], labels),
    ...(answer.States && { OutputStates: answer.States }),
    Fields: ticket.Fields.map(field => {
      // A key may be `toString`, which every object has.
      const value = new Map(Object.entries(sent.data ?? {})).get(field.Key)
      return value === undefined ? field : { ...field, Value: value }
    }),
  }
}

/** The role that a key gives: Assignee, or else the first. */
export function usualRole<Role extends { text: string }>(roles: readonly Role[]) {
  return roles.find(({ text }) => text.toLowerCase() === 'assignee') ?? roles[0]
}
