/** The handler of each call about projects and their configuration. */
import type * as labels from '@tessera/contract/projects/labels'
import type * as live from '@tessera/contract/projects/live'
import type * as projectConfig from '@tessera/contract/projects/project-config'
import type * as projects from '@tessera/contract/projects/projects'
import type * as statistics from '@tessera/contract/projects/statistics'
import type * as views from '@tessera/contract/projects/views'
import { events } from '../features/live/events.ts'
import { createNewTicketField } from '../features/project-config/fields/create-new-ticket-field.ts'
import { deleteTicketFields } from '../features/project-config/fields/delete-ticket-fields.ts'
import { getTicketFieldList } from '../features/project-config/fields/get-ticket-field-list.ts'
import { getTicketFieldUsage } from '../features/project-config/fields/get-ticket-field-usage.ts'
import { restoreTicketFields } from '../features/project-config/fields/restore-ticket-fields.ts'
import { setTicketField } from '../features/project-config/fields/set-ticket-field.ts'
import { setTicketFieldOrder } from '../features/project-config/fields/set-ticket-field-order.ts'
import { getFieldTypeChange } from '../features/project-config/fields/types/get-field-type-change.ts'
import { getPropertytypeList } from '../features/project-config/fields/types/get-propertytype-list.ts'
import { getTicketPropertyTypeList } from '../features/project-config/fields/types/get-ticket-property-type-list.ts'
import { setTicketFieldType } from '../features/project-config/fields/types/set-ticket-field-type.ts'
import { deleteLabels } from '../features/project-config/labels/delete-labels.ts'
import { getLabelList } from '../features/project-config/labels/get-label-list.ts'
import { restoreLabels } from '../features/project-config/labels/restore-labels.ts'
import { setLabel } from '../features/project-config/labels/set-label.ts'
import { addProjectMember } from '../features/project-config/members/add-project-member.ts'
import { getProjectMemberCandidates } from '../features/project-config/members/get-project-member-candidates.ts'
import { getProjectMembers } from '../features/project-config/members/get-project-members.ts'
import { removeProjectMember } from '../features/project-config/members/remove-project-member.ts'
import { restoreProjectMember } from '../features/project-config/members/restore-project-member.ts'
import { getPermissionTypes } from '../features/project-config/permissions/get-permission-types.ts'
import { getUserPermissions } from '../features/project-config/permissions/get-user-permissions.ts'
import { setUserPermission } from '../features/project-config/permissions/set-user-permission.ts'
import { setUserPermissions } from '../features/project-config/permissions/set-user-permissions.ts'
import { createProjectRole } from '../features/project-config/roles/create-project-role.ts'
import { deleteProjectRoles } from '../features/project-config/roles/delete-project-roles.ts'
import { getProjectRoles } from '../features/project-config/roles/get-project-roles.ts'
import { restoreProjectRoles } from '../features/project-config/roles/restore-project-roles.ts'
import { setProjectRole } from '../features/project-config/roles/set-project-role.ts'
import { setProjectRoleOrder } from '../features/project-config/roles/set-project-role-order.ts'
import { createNewState } from '../features/project-config/states/create-new-state.ts'
import { deleteTicketStates } from '../features/project-config/states/delete-ticket-states.ts'
import { getTicketStateList } from '../features/project-config/states/get-ticket-state-list.ts'
import { getTicketStateUsage } from '../features/project-config/states/get-ticket-state-usage.ts'
import { restoreTicketStates } from '../features/project-config/states/restore-ticket-states.ts'
import { setTicketState } from '../features/project-config/states/set-ticket-state.ts'
import { setTicketStateOrder } from '../features/project-config/states/set-ticket-state-order.ts'
import { getStateTransitions } from '../features/project-config/states/workflow/get-state-transitions.ts'
import { setStateTransitions } from '../features/project-config/states/workflow/set-state-transitions.ts'
import { createNewTemplate } from '../features/project-config/templates/create-new-template.ts'
import { deleteTicketTemplates } from '../features/project-config/templates/delete-ticket-templates.ts'
import { getTicketTemplate } from '../features/project-config/templates/get-ticket-template.ts'
import { getTicketTemplateList } from '../features/project-config/templates/get-ticket-template-list.ts'
import { getTicketTemplateUsage } from '../features/project-config/templates/get-ticket-template-usage.ts'
import { restoreTicketTemplates } from '../features/project-config/templates/restore-ticket-templates.ts'
import { setTicketTemplate } from '../features/project-config/templates/set-ticket-template.ts'
import { setTicketTemplateOrder } from '../features/project-config/templates/set-ticket-template-order.ts'
import { createProject } from '../features/projects/create-project.ts'
import { getProjectData } from '../features/projects/get-project-data.ts'
import { getProjectList } from '../features/projects/get-project-list.ts'
import { getProjectProperty } from '../features/projects/get-project-property.ts'
import { setProjectData } from '../features/projects/set-project-data.ts'
import { getProjectStatistics } from '../features/statistics/get-project-statistics.ts'
import { deleteViews } from '../features/views/delete-views.ts'
import { getViewList } from '../features/views/get-view-list.ts'
import { restoreViews } from '../features/views/restore-views.ts'
import { setView } from '../features/views/set-view.ts'
import { setViewOrder } from '../features/views/set-view-order.ts'
import type { Handlers } from '../http/implement.ts'

export const projectHandlers = {
  addProjectMember,
  createNewState,
  createNewTemplate,
  createNewTicketField,
  createProject,
  createProjectRole,
  deleteLabels,
  deleteProjectRoles,
  deleteTicketFields,
  deleteTicketStates,
  deleteTicketTemplates,
  deleteViews,
  events,
  getFieldTypeChange,
  getLabelList,
  getPermissionTypes,
  getProjectData,
  getProjectList,
  getProjectMemberCandidates,
  getProjectMembers,
  getProjectProperty,
  getProjectRoles,
  getProjectStatistics,
  getPropertytypeList,
  getStateTransitions,
  getTicketFieldList,
  getTicketFieldUsage,
  getTicketPropertyTypeList,
  getTicketStateList,
  getTicketStateUsage,
  getTicketTemplate,
  getTicketTemplateList,
  getTicketTemplateUsage,
  getUserPermissions,
  getViewList,
  removeProjectMember,
  restoreLabels,
  restoreProjectMember,
  restoreProjectRoles,
  restoreTicketFields,
  restoreTicketStates,
  restoreTicketTemplates,
  restoreViews,
  setLabel,
  setProjectData,
  setProjectRole,
  setProjectRoleOrder,
  setStateTransitions,
  setTicketField,
  setTicketFieldOrder,
  setTicketFieldType,
  setTicketState,
  setTicketStateOrder,
  setTicketTemplate,
  setTicketTemplateOrder,
  setUserPermission,
  setUserPermissions,
  setView,
  setViewOrder,
} satisfies Handlers<typeof labels & typeof live & typeof projectConfig & typeof projects & typeof statistics & typeof views>
