import { mutation, query } from '../call.ts'
import { limits } from '../limits.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/project-config.ts'

export type { TemplateDefaults } from './shapes/project-config.ts'

/**
 * The field types: renderer → id of the property type. A new one also needs a migration that adds it to the table `property_type`. The value of a
 * TEXTMULTILINE is Markdown.
 */
export const propertyType = {
  TEXTMULTILINE: 1,
  SELECT: 2,
  TEXT: 3,
  NUMBER: 4,
  DATE: 5,
  CHECKBOX: 6,
  MULTISELECT: 7,
  USER: 8,
  URL: 9,
} as const
export type Renderer = keyof typeof propertyType
export const propertyTypes = Object.entries(propertyType).map(([renderer, id]) => ({ id, Description: renderer as Renderer }))
export function rendererOf(typeId: number): Renderer | undefined {
  return propertyTypes.find(({ id }) => id === typeId)?.Description
}
/** Types whose values come from the field's own options. */
export const typesWithOptions: readonly number[] = [propertyType.SELECT, propertyType.MULTISELECT]

export const getTicketPropertyTypeList = query<typeof shapes.getTicketPropertyTypeList, 'session'>('get-ticket-property-type-list', {
  access: 'session',
})
export const getPropertytypeList = query<typeof shapes.getPropertytypeList, 'session'>('get-propertytype-list', { access: 'session' })

// Fields

export const getTicketFieldList = query<typeof shapes.getTicketFieldList, 'project'>('get-ticket-field-list', { access: 'project' })
export const createNewTicketField = mutation<typeof shapes.createNewTicketField, 'project'>('create-new-ticket-field', {
  access: 'project',
  permission: permission.manageFields,
  idempotent: true,
})
export const setTicketField = mutation<typeof shapes.setTicketField, 'project'>('set-ticket-field', {
  access: 'project',
  permission: permission.manageFields,
})
export const getFieldTypeChange = query<typeof shapes.getFieldTypeChange, 'project'>('get-field-type-change', {
  access: 'project',
  permission: permission.manageFields,
})
export const setTicketFieldType = mutation<typeof shapes.setTicketFieldType, 'project'>('set-ticket-field-type', {
  access: 'project',
  permission: permission.manageFields,
})
export const setTicketFieldOrder = mutation<typeof shapes.setTicketFieldOrder, 'project'>('set-ticket-field-order', {
  access: 'project',
  permission: permission.manageFields,
})
export const getTicketFieldUsage = query<typeof shapes.getTicketFieldUsage, 'project'>('get-ticket-field-usage', {
  access: 'project',
  permission: permission.manageFields,
})
export const deleteTicketFields = mutation<typeof shapes.deleteTicketFields, 'project'>('delete-ticket-fields', {
  access: 'project',
  permission: permission.manageFields,
})
export const restoreTicketFields = mutation<typeof shapes.restoreTicketFields, 'project'>('restore-ticket-fields', {
  access: 'project',
  permission: permission.manageFields,
})

// States and the workflow

export const getTicketStateList = query<typeof shapes.getTicketStateList, 'project'>('get-ticket-state-list', { access: 'project' })
export const createNewState = mutation<typeof shapes.createNewState, 'project'>('create-new-state', {
  access: 'project',
  permission: permission.manageStates,
  idempotent: true,
})
export const setTicketState = mutation<typeof shapes.setTicketState, 'project'>('set-ticket-state', {
  access: 'project',
  permission: permission.manageStates,
})
export const setTicketStateOrder = mutation<typeof shapes.setTicketStateOrder, 'project'>('set-ticket-state-order', {
  access: 'project',
  permission: permission.manageStates,
})
export const getTicketStateUsage = query<typeof shapes.getTicketStateUsage, 'project'>('get-ticket-state-usage', {
  access: 'project',
  permission: permission.manageStates,
})
export const deleteTicketStates = mutation<typeof shapes.deleteTicketStates, 'project'>('delete-ticket-states', {
  access: 'project',
  permission: permission.manageStates,
})

export const restoreTicketStates = mutation<typeof shapes.restoreTicketStates, 'project'>('restore-ticket-states', {
  access: 'project',
  permission: permission.manageStates,
})
export const getStateTransitions = query<typeof shapes.getStateTransitions, 'project'>('get-state-transitions', { access: 'project' })
export const setStateTransitions = mutation<typeof shapes.setStateTransitions, 'project'>('set-state-transitions', {
  access: 'project',
  permission: permission.manageStates,
})

// Templates

export const getTicketTemplateList = query<typeof shapes.getTicketTemplateList, 'project'>('get-ticket-template-list', {
  access: 'project',
})
export const createNewTemplate = mutation<typeof shapes.createNewTemplate, 'project'>('create-new-template', {
  access: 'project',
  permission: permission.manageTemplates,
  idempotent: true,
})
export const getTicketTemplate = query<typeof shapes.getTicketTemplate, 'project'>('get-ticket-template', { access: 'project' })
export const setTicketTemplate = mutation<typeof shapes.setTicketTemplate, 'project'>('set-ticket-template', {
  access: 'project',
  permission: permission.manageTemplates,
  bodyLimit: limits.ticketData,
})
export const setTicketTemplateOrder = mutation<typeof shapes.setTicketTemplateOrder, 'project'>('set-ticket-template-order', {
  access: 'project',
  permission: permission.manageTemplates,
})
export const getTicketTemplateUsage = query<typeof shapes.getTicketTemplateUsage, 'project'>('get-ticket-template-usage', {
  access: 'project',
  permission: permission.manageTemplates,
})
export const deleteTicketTemplates = mutation<typeof shapes.deleteTicketTemplates, 'project'>('delete-ticket-templates', {
  access: 'project',
  permission: permission.manageTemplates,
})
export const restoreTicketTemplates = mutation<typeof shapes.restoreTicketTemplates, 'project'>('restore-ticket-templates', {
  access: 'project',
  permission: permission.manageTemplates,
})

// Permissions

export const getPermissionTypes = query<typeof shapes.getPermissionTypes, 'session'>('get-permission-types', { access: 'session' })
export const getUserPermissions = query<typeof shapes.getUserPermissions, 'project'>('get-user-permissions', {
  access: 'project',
  permission: permission.managePermissions,
})
export const setUserPermission = mutation<typeof shapes.setUserPermission, 'project'>('set-user-permission', {
  access: 'project',
  permission: permission.managePermissions,
  changesRights: true,
})
export const setUserPermissions = mutation<typeof shapes.setUserPermissions, 'project'>('set-user-permissions', {
  access: 'project',
  permission: permission.managePermissions,
  changesRights: true,
})
