import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { setTicketData } from '@tessera/contract/tickets/tickets'
import { counted } from '../../../counted.ts'
import { bool, int4, int8, json, nullable, type RowOf, text } from '../../../db/shape.ts'
import type { TicketPart } from '../../../lib/changes.ts'
import { Failure, invalid, notFoundAt } from '../../../lib/failure.ts'
import { assigneePair, labelReference } from '../history/stored-values.ts'
import { problemOfValue, storedValue, valuesTooLarge } from '../values/field-values.ts'

// Computes the changes of a save from the stored ticket and the input.

type SaveInput = Omit<Request<typeof setTicketData>, 'idTicket'>

/** A state that takes no more tickets than its limit. */
export interface Room {
  name: string
  limit: number
  tickets: number
}
/** Why the state takes no ticket more. */
export function problemOfLimit({ name, limit }: Room) {
  return `${name} has reached its limit of ${counted(limit, 'ticket')}`
}

export const archivedType = 'This template is archived: choose another ticket type'

/** The ticket as read before a save. */
export const storedRow = {
  version: int4,
  title: text,
  title_version: int4,
  template_id: int8,
  template_version: int4,
  state_id: int8,
  state_version: int4,
  parent_id: nullable(int8),
  in_trash: bool,
  fields:
    json<
      {
        id: number
        key: string
        type_id: number
        options: { value: string }[]
        definition: string
        value: string | null
        version: number | null
        /** The ticket shows the field, or will with the requested type. */
        is_shown: boolean
      }[]
    >(),
  /** Of all its values. */
  value_bytes: int8,
  /** Whether new tickets may have the requested type: not if it is archived; null when the project has no such type. */
  is_offered: nullable(bool),
  /** Whether the ticket may move to the requested state; null when the project has no such state. */
  reachable: nullable(bool),
  /** The requested state would make the ticket inactive, but something blocks it in a project where blockers hold. */
  blocked: bool,
  /** The requested state if its limit holds, with the number of its tickets; exact only while the state is locked. */
  room: nullable(json<Room>()),
  members: json<number[]>(),
  roles: json<number[]>(),
  held: json<[number, number][]>(),
  /** The requested ones that the project has. */
  labels: json<[id: number, name: string, isCarried: boolean][]>(),
  carried: int4,
}
export type Stored = RowOf<typeof storedRow>

export interface Changes {
  title: string | null
  templateId: number | null
  stateId: number | null
  /** `definition` is that of the field by which the value was checked; `isFirst`: the ticket has no value of this field yet, not even an empty one. */
  values: { id: number; value: string; definition: string; isFirst: boolean }[]
  added: [number, number][]
  removed: [number, number][]
  labelled: number[]
  unlabelled: number[]
  history: { field: TicketPart; before: string | null; after: string | null }[]
  /** Fields that somebody else has changed since the caller's version, with the stored value. */
  conflicts: { Field: string; Value: string }[]
}

/**
 * The differences between input and ticket. 404 for ids that the project does not have, 400 for a value that does not fit its field. `at`: where the
 * input is in the request.
 */
export function decideChanges(stored: Stored, input: SaveInput, at = ''): Changes {
  const missing = missingIn(stored, input)
  if (missing.length > 0) throw notFoundAt(missing.map(path => at + path))

  const changes: Changes = {
    title: null,
    templateId: null,
    stateId: null,
    values: [],
    added: [],
    removed: [],
    labelled: [],
    unlabelled: [],
    history: [],
    conflicts: [],
  }
  decideAssignees(stored, input, changes)
  decideLabels(stored, input, changes)
  decideValues(stored, input, changes)
  const { Title, idTemplate, State } = input
  if (Title !== undefined && Title !== stored.title) {
    changes.title = Title
    noteChange(changes, input, { field: 'Title', before: stored.title, after: Title }, stored.title_version)
  }
  if (idTemplate !== undefined && idTemplate !== stored.template_id) {
    if (!stored.is_offered) throw new Failure('rule', archivedType)
    changes.templateId = idTemplate
    noteChange(changes, input, { field: 'Type', before: String(stored.template_id), after: String(idTemplate) }, stored.template_version)
  }
  if (State !== undefined && State !== stored.state_id) {
    changes.stateId = State
    noteChange(changes, input, { field: 'State', before: String(stored.state_id), after: String(State) }, stored.state_version)
  }
  return changes
}

/** `version` is the ticket's version of the last change of this part: the caller conflicts with it unless it knows that version. */
function noteChange(changes: Changes, input: SaveInput, change: Changes['history'][number], version: number) {
  if (input.Version !== undefined && version > input.Version) changes.conflicts.push({ Field: change.field, Value: change.before ?? '' })
  changes.history.push(change)
}

function decideValues(stored: Stored, input: SaveInput, changes: Changes) {
  const fields = new Map(stored.fields.map(field => [field.key, field]))
  const members = new Set(stored.members)
  let bytes = stored.value_bytes
  for (const [key, given] of Object.entries(input.data ?? {})) {
    const field = fields.get(key)
    if (!field) continue
    const value = storedValue(field.type_id, given)
    const before = field.value ?? ''
    if (value === before) continue
    const problem = problemOfValue({ typeId: field.type_id, options: field.options }, value, id => members.has(id))
    if (problem) throw invalid(`data.${key}`, problem)
    bytes += Buffer.byteLength(value) - Buffer.byteLength(before)
    changes.values.push({ id: field.id, value, definition: field.definition, isFirst: field.value === null })
    noteChange(changes, input, { field: `data.${key}`, before: before || null, after: value || null }, field.version ?? 0)
  }
  if (bytes > Math.max(limits.ticketValues, stored.value_bytes)) throw new Failure('rule', valuesTooLarge)
}

/** Where the input names what the project or the ticket does not have. */
function missingIn(stored: Stored, input: SaveInput) {
  const keys = new Set(stored.fields.filter(field => field.is_shown).map(({ key }) => key))
  const labels = new Set(stored.labels.map(([id]) => id))
  const [members, roles] = [new Set(stored.members), new Set(stored.roles)]
  const pairs = (input.TicketAssign ?? []).map(({ idUser, idRole }) => members.has(idUser) && roles.has(idRole))
  return [
    ...(input.idTemplate !== undefined && stored.is_offered === null ? ['idTemplate'] : []),
    ...(input.State !== undefined && stored.reachable === null ? ['State'] : []),
    ...Object.keys(input.data ?? {}).flatMap(key => (keys.has(key) ? [] : [`data.${key}`])),
    ...pairs.flatMap((isThere, index) => (isThere ? [] : [`TicketAssign.${index}`])),
    ...(input.Labels ?? []).flatMap(({ idLabel }, index) => (labels.has(idLabel) ? [] : [`Labels.${index}`])),
  ]
}

/** The last entry for a pair counts; a pair that is already as requested is no change. */
function decideAssignees(stored: Stored, input: SaveInput, changes: Changes) {
  const held = new Set(stored.held.map(([user, role]) => `${user},${role}`))
  const wanted = new Map<string, { idUser: number; idRole: number; Enabled: 0 | 1 }>()
  for (const pair of input.TicketAssign ?? []) wanted.set(`${pair.idUser},${pair.idRole}`, pair)
  for (const [key, { idUser, idRole, Enabled }] of wanted) {
    if (held.has(key) === (Enabled === 1)) continue
    const pair = assigneePair(idUser, idRole)
    changes[Enabled === 1 ? 'added' : 'removed'].push([idUser, idRole])
    changes.history.push({ field: 'Assignee', before: Enabled === 1 ? null : pair, after: Enabled === 1 ? pair : null })
  }
  if (changes.added.length > 0 && held.size + changes.added.length - changes.removed.length > limits.assigneesPerTicket)
    throw new Failure('rule', `A ticket has at most ${limits.assigneesPerTicket} assignees`)
}

/** Like assignees; labels that two people save at the same time are merged. */
function decideLabels(stored: Stored, input: SaveInput, changes: Changes) {
  const labels = new Map(stored.labels.map(([id, name, isCarried]) => [id, { name, isCarried }]))
  const wanted = new Map((input.Labels ?? []).map(({ idLabel, Enabled }) => [idLabel, Enabled === 1]))
  for (const [id, isWanted] of wanted) {
    const label = labels.get(id)
    if (!label || label.isCarried === isWanted) continue
    changes[isWanted ? 'labelled' : 'unlabelled'].push(id)
    const reference = labelReference(id, label.name)
    changes.history.push({ field: 'Label', before: isWanted ? null : reference, after: isWanted ? reference : null })
  }
  if (changes.labelled.length > 0 && stored.carried + changes.labelled.length - changes.unlabelled.length > limits.labelsPerTicket)
    throw new Failure('rule', `A ticket carries at most ${limits.labelsPerTicket} labels`)
}
