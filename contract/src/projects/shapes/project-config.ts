import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { permissionTypes } from '../../permissions.ts'
import {
  Closed,
  DatabaseKey,
  Done,
  Empty,
  FieldOption,
  FieldValues,
  Flag,
  Id,
  Ids,
  Line,
  Name,
  Phase,
  SomeIds,
  SortOrder,
  Version,
} from '../../scalars.ts'

const FieldProps = Type.Array(FieldOption, { maxItems: limits.optionsPerField })

export const getTicketPropertyTypeList = {
  summary: 'The field types.',
  request: Empty,
  response: Type.Array(Type.Object({ idTicketPropertyType: Id, Description: Type.String() })),
}
export const getPropertytypeList = {
  summary: 'The field types again, in the form that the New Ticket Field dialog reads.',
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, Description: Type.String() })),
}

// Fields

export const getTicketFieldList = {
  summary: "The project's fields in their order; archived ones only when asked for.",
  request: Closed({ idProject: Id, Archived: Type.Optional(Flag) }),
  response: Type.Array(
    Type.Object({ id: Id, Label: Type.String(), Key: Type.String(), FieldType: Id, FieldProps: Type.Array(FieldOption) }),
  ),
}
export const createNewTicketField = {
  summary: 'Adds a field at the end of the order.',
  request: Closed({ idProject: Id, Label: Name(), DbKey: DatabaseKey, idControlType: Id, FieldProps: Type.Optional(FieldProps) }),
  response: Type.Object({ Success: Type.Literal(1), idField: Id }),
}
export const setTicketField = {
  summary:
    'Changes label or options. An option in use cannot be removed (422 `in_use`); key and type stay. With `FieldPropsBefore`, 409 with the stored options unless they are these.',
  request: Closed({
    idProject: Id,
    idField: Id,
    Label: Type.Optional(Name()),
    FieldProps: Type.Optional(FieldProps),
    FieldPropsBefore: Type.Optional(FieldProps),
  }),
  response: Done,
}
export const getFieldTypeChange = {
  summary:
    "The effect of changing a field's type: the options it would get, and the stored values that do not fit, the most frequent first.",
  request: Closed({ idProject: Id, idField: Id, idControlType: Id }),
  response: Type.Object({
    /** Tickets with a value, and how many of them hold one that does not fit. */
    Tickets: Type.Integer({ minimum: 0 }),
    Unfit: Type.Integer({ minimum: 0 }),
    /** At most 20. */
    Values: Type.Array(Type.Object({ Value: Type.String(), Tickets: Type.Integer({ minimum: 1 }), Reason: Type.String() })),
    FieldProps: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  }),
}
export const setTicketFieldType = {
  summary:
    "Changes a field's type. No value is changed: 422 `in_use` if one does not fit. A text field with few distinct values can become a SELECT with these as options.",
  request: Closed({ idProject: Id, idField: Id, idControlType: Id }),
  response: Done,
}
export const setTicketFieldOrder = {
  summary: 'Orders the fields.',
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
}
export const getTicketFieldUsage = {
  summary: 'How many templates and ticket values use each field: what a deletion would affect.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Templates: Type.Integer(), Tickets: Type.Integer() })),
}
export const deleteTicketFields = {
  summary: 'Deletes unused fields and archives used ones, which are no longer offered but still shown on tickets that have them.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({ Success: Type.Literal(1), Deleted: Ids, Archived: Ids }),
}
export const restoreTicketFields = {
  summary: 'Restores archived and deleted fields under their former ids.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}

// States and the workflow

export const getTicketStateList = {
  summary: "The project's states in their order.",
  request: Closed({ idProject: Id }),
  response: Type.Array(
    Type.Object({
      id: Id,
      Description: Type.String(),
      phase: Phase,
      /** How many tickets its column of the board should have at most; absent without a limit. */
      Limit: Type.Optional(Type.Integer()),
      /** 1 if no ticket may be moved to a state that has reached its limit; absent otherwise. */
      LimitHolds: Type.Optional(Type.Literal(1)),
    }),
  ),
}
export const createNewState = {
  summary: 'Adds a state at the end of the order.',
  request: Closed({ idProject: Id, State: Name(), idPhase: Phase }),
  response: Type.Object({ Success: Type.Literal(1), idState: Id }),
}
export const setTicketState = {
  summary:
    'Renames a state, changes its phase (the counts of subordinates follow), or sets how many tickets its column of the board should have at most. The board marks a column above its limit. With `LimitHolds`, no ticket can be moved to a state that has reached it: 422, `code: "rule"`. Tickets still get there when they are created, imported or restored, when their state is deleted, and when a change is reverted.',
  request: Closed({
    idProject: Id,
    idState: Id,
    State: Type.Optional(Name()),
    idPhase: Type.Optional(Phase),
    /** 0 removes the limit. */
    Limit: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.columnLimit })),
    LimitHolds: Type.Optional(Flag),
  }),
  response: Done,
}
export const setTicketStateOrder = {
  summary: 'Orders the states.',
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
}
export const getTicketStateUsage = {
  summary: 'How many tickets are in each state and which templates start with it: what a deletion would affect.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Tickets: Type.Integer(), Templates: Type.Array(Type.String()) })),
}
export const deleteTicketStates = {
  summary:
    'Deletes states. Tickets move to `idReplacement`; without it a state with tickets is refused (422 `in_use`), and entry states and the last state always are.',
  request: Closed({ idProject: Id, ids: SomeIds, idReplacement: Type.Optional(Id) }),
  response: Done,
}

export const restoreTicketStates = {
  summary:
    'Restores deleted states under their former ids, with their moves in the workflow, and the tickets that went to the replacement and whose state nobody has changed since.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** How many tickets moved back. */
    Tickets: Type.Integer({ minimum: 0 }),
  }),
}

const Transition = Closed({ from: Id, to: Id })
export const getStateTransitions = {
  summary: 'The workflow: the allowed moves between states. If it is empty, every move is allowed.',
  request: Closed({ idProject: Id }),
  response: Type.Object({ Transitions: Type.Array(Transition), Version: Type.Integer() }),
}
export const setStateTransitions = {
  summary: 'Replaces the workflow as a whole; with `Version`, 409 if somebody else has saved it since.',
  request: Closed({
    idProject: Id,
    Transitions: Type.Array(Transition, { maxItems: limits.list }),
    Version: Type.Optional(Version),
  }),
  response: Type.Object({ Success: Type.Literal(1), Version: Type.Integer() }),
}

// Templates

/** What a new ticket of the template begins with. A child has the defaults of its own template, children included, two levels deep. */
export const TemplateDefaults = Closed({
  /** For a ticket that is made without a title. */
  Title: Type.Optional(Line(limits.ticketTitle)),
  /** Values by field key, as `set-ticket-data` takes them. */
  data: Type.Optional(FieldValues),
  Labels: Type.Optional(Type.Array(Id, { maxItems: limits.labelsPerTicket, uniqueItems: true })),
  Children: Type.Optional(Type.Array(Closed({ idTemplate: Id, Title: Line(limits.ticketTitle) }), { maxItems: limits.childrenOfTemplate })),
})
export type TemplateDefaults = Type.Static<typeof TemplateDefaults>

export const getTicketTemplateList = {
  summary:
    "The project's templates (ticket types) in their order; archived ones only when asked for. With `idField` only those that have this field.",
  request: Closed({ idProject: Id, Archived: Type.Optional(Flag), idField: Type.Optional(Id) }),
  response: Type.Array(Type.Object({ idTicketTemplate: Id, Description: Type.String() })),
}
export const createNewTemplate = {
  summary: 'Adds a template (a ticket type) at the end of the order.',
  request: Closed({ idProject: Id, Label: Name(), idEntryState: Id, Fields: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }),
  response: Type.Object({ Success: Type.Literal(1), idTicketTemplate: Id }),
}
export const getTicketTemplate = {
  summary: 'One template with its initial state, its fields in order and its defaults, without anything deleted since.',
  request: Closed({ idProject: Id, idTicketTemplate: Id }),
  response: Type.Object({
    idTicketTemplate: Id,
    Label: Type.String(),
    idEntryState: Id,
    Fields: Ids,
    Defaults: Type.Optional(TemplateDefaults),
  }),
}
export const setTicketTemplate = {
  summary:
    'Changes a template. Values of a field that is removed from it are kept and reappear if it is added again. `Defaults` replaces all of them; `{}` means none. With `FieldsBefore` or `DefaultsBefore`, 409 with the stored ones unless they are these.',
  request: Closed({
    idProject: Id,
    idTicketTemplate: Id,
    Label: Type.Optional(Name()),
    idEntryState: Type.Optional(Id),
    Fields: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
    FieldsBefore: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
    Defaults: Type.Optional(TemplateDefaults),
    DefaultsBefore: Type.Optional(TemplateDefaults),
  }),
  response: Done,
}
export const setTicketTemplateOrder = {
  summary: 'Orders the templates.',
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
}
export const getTicketTemplateUsage = {
  summary: 'How many tickets each template has: what a deletion would affect.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Tickets: Type.Integer() })),
}
export const deleteTicketTemplates = {
  summary: 'Deletes unused templates and archives used ones.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({ Success: Type.Literal(1), Deleted: Ids, Archived: Ids }),
}
export const restoreTicketTemplates = {
  summary: 'Restores archived and deleted templates under their former ids.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}

// Permissions

export const getPermissionTypes = {
  summary: 'The permission types.',
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, Description: Type.String() })),
}
export const getUserPermissions = {
  summary: "The project's members by login with their permissions; `id` is the project member's.",
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ id: Id, Login: Type.String(), Permissions: Ids })),
}
export const setUserPermission = {
  summary: 'Grants or revokes one permission the caller holds: sets it when `Enabled` is given, toggles it otherwise.',
  request: Closed({
    idProject: Id,
    idProjectMember: Id,
    idPermission: Type.Integer({ minimum: 1, maximum: permissionTypes.length }),
    Enabled: Type.Optional(Flag),
  }),
  response: Type.Object({ Success: Type.Literal(1), Enabled: Flag }),
}
const MemberPermissions = Type.Object({ idProjectMember: Id, Permissions: Ids })
const PermissionIds = Type.Array(Type.Integer({ minimum: 1, maximum: permissionTypes.length }), {
  maxItems: permissionTypes.length,
  uniqueItems: true,
})
export const setUserPermissions = {
  summary:
    'Sets all permissions of several members, all or none. The caller must hold each permission that this grants or revokes. The answered `Before` has the former permissions. With `Before` in the request, 409 with the present ones unless each member has exactly these.',
  request: Closed({
    idProject: Id,
    Members: Type.Array(Closed({ idProjectMember: Id, Permissions: PermissionIds, Before: Type.Optional(PermissionIds) }), {
      minItems: 1,
      maxItems: limits.membersAtOnce,
    }),
  }),
  response: Type.Object({ Success: Type.Literal(1), Before: Type.Array(MemberPermissions) }),
}
