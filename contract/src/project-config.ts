import * as Type from 'typebox'
import { mutation, query } from './call.ts'
import { limits } from './limits.ts'
import { permission } from './permissions.ts'
import { Closed, DatabaseKey, Done, Empty, FieldOption, Flag, Id, Ids, Name, Phase, SomeIds, SortOrder, Version } from './scalars.ts'

const FieldProps = Type.Array(FieldOption, { maxItems: limits.optionsPerField })

/** The field types: id of a property type ↔ renderer. */
export const propertyTypes = [
  { id: 1, Description: 'TEXTMULTILINE' },
  { id: 2, Description: 'SELECT' },
  { id: 3, Description: 'TEXT' },
  { id: 4, Description: 'NUMBER' },
  { id: 5, Description: 'DATE' },
  { id: 6, Description: 'CHECKBOX' },
  { id: 7, Description: 'MULTISELECT' },
  { id: 8, Description: 'USER' },
  { id: 9, Description: 'URL' },
] as const
/** Types whose values come from the field's own options. */
export const typesWithOptions: readonly number[] = [2, 7]

export const getTicketPropertyTypeList = query('get-ticket-property-type-list', {
  summary: 'The field types.',
  access: 'session',
  request: Empty,
  response: Type.Array(Type.Object({ idTicketPropertyType: Id, Description: Type.String() })),
})
export const getPropertytypeList = query('get-propertytype-list', {
  summary: 'The field types, once more, as the New Ticket Field dialog reads them.',
  access: 'session',
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, Description: Type.String() })),
})

// Fields

export const getTicketFieldList = query('get-ticket-field-list', {
  summary: "The project's fields in their order; archived ones only when asked for.",
  access: 'project',
  request: Closed({ idProject: Id, Archived: Type.Optional(Flag) }),
  response: Type.Array(
    Type.Object({ id: Id, Label: Type.String(), Key: Type.String(), FieldType: Id, FieldProps: Type.Array(FieldOption) }),
  ),
})
export const createNewTicketField = mutation('create-new-ticket-field', {
  summary: 'Adds a field at the end of the order.',
  access: 'project',
  permission: permission.manageFields,
  idempotent: true,
  request: Closed({ idProject: Id, Label: Name(), DbKey: DatabaseKey, idControlType: Id, FieldProps: Type.Optional(FieldProps) }),
  response: Type.Object({ Success: Type.Literal(1), idField: Id }),
})
export const setTicketField = mutation('set-ticket-field', {
  summary: 'Changes label or options. An option in use cannot be removed (422 `in_use`); key and type stay.',
  access: 'project',
  permission: permission.manageFields,
  request: Closed({ idProject: Id, idField: Id, Label: Type.Optional(Name()), FieldProps: Type.Optional(FieldProps) }),
  response: Done,
})
export const setTicketFieldOrder = mutation('set-ticket-field-order', {
  summary: 'Orders the fields.',
  access: 'project',
  permission: permission.manageFields,
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
})
export const getTicketFieldUsage = query('get-ticket-field-usage', {
  summary: 'How many templates and ticket values use each field: what a delete would affect.',
  access: 'project',
  permission: permission.manageFields,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Templates: Type.Integer(), Tickets: Type.Integer() })),
})
export const deleteTicketFields = mutation('delete-ticket-fields', {
  summary: 'Deletes unused fields and archives used ones: gone from choices, still shown on tickets that have them.',
  access: 'project',
  permission: permission.manageFields,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({ Success: Type.Literal(1), Deleted: Ids, Archived: Ids }),
})
export const restoreTicketFields = mutation('restore-ticket-fields', {
  summary: 'Brings archived and deleted fields back, under the ids they had.',
  access: 'project',
  permission: permission.manageFields,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
})

// States and the workflow

export const getTicketStateList = query('get-ticket-state-list', {
  summary: "The project's states in their order.",
  access: 'project',
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ id: Id, Description: Type.String(), phase: Phase })),
})
export const createNewState = mutation('create-new-state', {
  summary: 'Adds a state at the end of the order.',
  access: 'project',
  permission: permission.manageStates,
  idempotent: true,
  request: Closed({ idProject: Id, State: Name(), idPhase: Phase }),
  response: Type.Object({ Success: Type.Literal(1), idState: Id }),
})
export const setTicketState = mutation('set-ticket-state', {
  summary: 'Renames a state or changes its phase; the counts of subordinates follow.',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({ idProject: Id, idState: Id, State: Type.Optional(Name()), idPhase: Type.Optional(Phase) }),
  response: Done,
})
export const setTicketStateOrder = mutation('set-ticket-state-order', {
  summary: 'Orders the states.',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
})
export const getTicketStateUsage = query('get-ticket-state-usage', {
  summary: 'How many tickets are in each state and which templates start with it: what a delete would affect.',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Tickets: Type.Integer(), Templates: Type.Array(Type.String()) })),
})
export const deleteTicketStates = mutation('delete-ticket-states', {
  summary:
    'Deletes states. Tickets move to `idReplacement`; without it a state with tickets, and always an entry state or the last state, is refused (422 `in_use`).',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({ idProject: Id, ids: SomeIds, idReplacement: Type.Optional(Id) }),
  response: Done,
})

export const restoreTicketStates = mutation('restore-ticket-states', {
  summary:
    'Takes the deletion of states back: the same ids, their moves in the workflow, and the tickets that went to the replacement, as far as those are still there and nobody gave them a state since.',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** How many tickets moved back. */
    Tickets: Type.Integer({ minimum: 0 }),
  }),
})

const Transition = Closed({ from: Id, to: Id })
export const getStateTransitions = query('get-state-transitions', {
  summary: 'The workflow: the moves between states that are allowed. None at all means that every move is.',
  access: 'project',
  request: Closed({ idProject: Id }),
  response: Type.Object({ Transitions: Type.Array(Transition), Version: Type.Integer() }),
})
export const setStateTransitions = mutation('set-state-transitions', {
  summary: 'Replaces the workflow as a whole; with `Version`, 409 when somebody else saved it since.',
  access: 'project',
  permission: permission.manageStates,
  request: Closed({
    idProject: Id,
    Transitions: Type.Array(Transition, { maxItems: limits.list }),
    Version: Type.Optional(Version),
  }),
  response: Type.Object({ Success: Type.Literal(1), Version: Type.Integer() }),
})

// Templates

export const getTicketTemplateList = query('get-ticket-template-list', {
  summary: "The project's templates (ticket types) in their order; archived ones only when asked for.",
  access: 'project',
  request: Closed({ idProject: Id, Archived: Type.Optional(Flag) }),
  response: Type.Array(Type.Object({ idTicketTemplate: Id, Description: Type.String() })),
})
export const createNewTemplate = mutation('create-new-template', {
  summary: 'Adds a template (a ticket type) at the end of the order.',
  access: 'project',
  permission: permission.manageTemplates,
  idempotent: true,
  request: Closed({ idProject: Id, Label: Name(), idEntryState: Id, Fields: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }),
  response: Type.Object({ Success: Type.Literal(1), idTicketTemplate: Id }),
})
export const getTicketTemplate = query('get-ticket-template', {
  summary: 'One template with its initial state and its fields in order.',
  access: 'project',
  request: Closed({ idProject: Id, idTicketTemplate: Id }),
  response: Type.Object({ idTicketTemplate: Id, Label: Type.String(), idEntryState: Id, Fields: Ids }),
})
export const setTicketTemplate = mutation('set-ticket-template', {
  summary: 'Changes a template. Values of a field that leaves it are kept and come back with it.',
  access: 'project',
  permission: permission.manageTemplates,
  request: Closed({
    idProject: Id,
    idTicketTemplate: Id,
    Label: Type.Optional(Name()),
    idEntryState: Type.Optional(Id),
    Fields: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
  }),
  response: Done,
})
export const setTicketTemplateOrder = mutation('set-ticket-template-order', {
  summary: 'Orders the templates.',
  access: 'project',
  permission: permission.manageTemplates,
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
})
export const getTicketTemplateUsage = query('get-ticket-template-usage', {
  summary: 'How many tickets each template has: what a delete would affect.',
  access: 'project',
  permission: permission.manageTemplates,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Array(Type.Object({ id: Id, Tickets: Type.Integer() })),
})
export const deleteTicketTemplates = mutation('delete-ticket-templates', {
  summary: 'Deletes unused templates and archives used ones.',
  access: 'project',
  permission: permission.manageTemplates,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({ Success: Type.Literal(1), Deleted: Ids, Archived: Ids }),
})
export const restoreTicketTemplates = mutation('restore-ticket-templates', {
  summary: 'Brings archived and deleted templates back, under the ids they had.',
  access: 'project',
  permission: permission.manageTemplates,
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
})

// Permissions

export const getPermissionTypes = query('get-permission-types', {
  summary: 'The permission types.',
  access: 'session',
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, Description: Type.String() })),
})
export const getUserPermissions = query('get-user-permissions', {
  summary: "The project's members by login with their permissions; `id` is the project member's.",
  access: 'project',
  permission: permission.managePermissions,
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ id: Id, Login: Type.String(), Permissions: Ids })),
})
export const setUserPermission = mutation('set-user-permission', {
  summary: 'Grants or revokes one permission the caller holds: sets it when `Enabled` is given, toggles it otherwise.',
  access: 'project',
  permission: permission.managePermissions,
  changesRights: true,
  request: Closed({
    idProject: Id,
    idProjectMember: Id,
    idPermission: Type.Integer({ minimum: 1, maximum: 13 }),
    Enabled: Type.Optional(Flag),
  }),
  response: Type.Object({ Success: Type.Literal(1), Enabled: Flag }),
})
