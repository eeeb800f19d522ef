/** The handler of each call: the server's table of contents. A call of the contract without a handler does not compile. */
import type * as assignees from '@tessera/contract/assignees'
import type * as attachments from '@tessera/contract/attachments'
import type * as board from '@tessera/contract/board'
import type * as bulk from '@tessera/contract/bulk'
import type * as comments from '@tessera/contract/comments'
import type * as labels from '@tessera/contract/labels'
import type * as links from '@tessera/contract/links'
import type * as live from '@tessera/contract/live'
import type * as organizations from '@tessera/contract/organizations'
import type * as passwordReset from '@tessera/contract/password-reset'
import type * as profile from '@tessera/contract/profile'
import type * as projectConfig from '@tessera/contract/project-config'
import type * as projects from '@tessera/contract/projects'
import type * as search from '@tessera/contract/search'
import type * as session from '@tessera/contract/session'
import type * as statistics from '@tessera/contract/statistics'
import type * as tickets from '@tessera/contract/tickets'
import type * as users from '@tessera/contract/users'
import type * as views from '@tessera/contract/views'
import { moveOnBoard } from './features/board/move-on-board.ts'
import { queryBoard } from './features/board/query-board.ts'
import { events } from './features/live/events.ts'
import { createOrganization } from './features/organizations/create-organization.ts'
import { getBackupStatus } from './features/organizations/get-backup-status.ts'
import { getOrganizationData } from './features/organizations/get-organization-data.ts'
import { getOrganizationList } from './features/organizations/get-organization-list.ts'
import { acceptInvitation } from './features/organizations/members/accept-invitation.ts'
import { getInvitation } from './features/organizations/members/get-invitation.ts'
import { getOrganizationMemberCandidates } from './features/organizations/members/get-organization-member-candidates.ts'
import { removeOrganizationMember } from './features/organizations/members/remove-organization-member.ts'
import { restoreOrganizationMember } from './features/organizations/members/restore-organization-member.ts'
import { setOrganizationMember } from './features/organizations/members/set-organization-member.ts'
import { setOrganizationData } from './features/organizations/set-organization-data.ts'
import { resetPassword } from './features/password-reset/reset-password.ts'
import { resetPasswordActivate } from './features/password-reset/reset-password-activate.ts'
import { changePassword } from './features/profile/change-password.ts'
import { confirmEmail } from './features/profile/confirm-email.ts'
import { getUserData } from './features/profile/get-user-data.ts'
import { setUserData } from './features/profile/set-user-data.ts'
import { createNewTicketField } from './features/project-config/fields/create-new-ticket-field.ts'
import { deleteTicketFields } from './features/project-config/fields/delete-ticket-fields.ts'
import { getTicketFieldList } from './features/project-config/fields/get-ticket-field-list.ts'
import { getTicketFieldUsage } from './features/project-config/fields/get-ticket-field-usage.ts'
import { restoreTicketFields } from './features/project-config/fields/restore-ticket-fields.ts'
import { setTicketField } from './features/project-config/fields/set-ticket-field.ts'
import { setTicketFieldOrder } from './features/project-config/fields/set-ticket-field-order.ts'
import { getFieldTypeChange } from './features/project-config/fields/types/get-field-type-change.ts'
import { getPropertytypeList } from './features/project-config/fields/types/get-propertytype-list.ts'
import { getTicketPropertyTypeList } from './features/project-config/fields/types/get-ticket-property-type-list.ts'
import { setTicketFieldType } from './features/project-config/fields/types/set-ticket-field-type.ts'
import { deleteLabels } from './features/project-config/labels/delete-labels.ts'
import { getLabelList } from './features/project-config/labels/get-label-list.ts'
import { restoreLabels } from './features/project-config/labels/restore-labels.ts'
import { setLabel } from './features/project-config/labels/set-label.ts'
import { addProjectMember } from './features/project-config/members/add-project-member.ts'
import { getProjectMemberCandidates } from './features/project-config/members/get-project-member-candidates.ts'
import { getProjectMembers } from './features/project-config/members/get-project-members.ts'
import { removeProjectMember } from './features/project-config/members/remove-project-member.ts'
import { restoreProjectMember } from './features/project-config/members/restore-project-member.ts'
import { getPermissionTypes } from './features/project-config/permissions/get-permission-types.ts'
import { getUserPermissions } from './features/project-config/permissions/get-user-permissions.ts'
import { setUserPermission } from './features/project-config/permissions/set-user-permission.ts'
import { setUserPermissions } from './features/project-config/permissions/set-user-permissions.ts'
import { createProjectRole } from './features/project-config/roles/create-project-role.ts'
import { deleteProjectRoles } from './features/project-config/roles/delete-project-roles.ts'
import { getProjectRoles } from './features/project-config/roles/get-project-roles.ts'
import { restoreProjectRoles } from './features/project-config/roles/restore-project-roles.ts'
import { setProjectRole } from './features/project-config/roles/set-project-role.ts'
import { setProjectRoleOrder } from './features/project-config/roles/set-project-role-order.ts'
import { createNewState } from './features/project-config/states/create-new-state.ts'
import { deleteTicketStates } from './features/project-config/states/delete-ticket-states.ts'
import { getTicketStateList } from './features/project-config/states/get-ticket-state-list.ts'
import { getTicketStateUsage } from './features/project-config/states/get-ticket-state-usage.ts'
import { restoreTicketStates } from './features/project-config/states/restore-ticket-states.ts'
import { setTicketState } from './features/project-config/states/set-ticket-state.ts'
import { setTicketStateOrder } from './features/project-config/states/set-ticket-state-order.ts'
import { getStateTransitions } from './features/project-config/states/workflow/get-state-transitions.ts'
import { setStateTransitions } from './features/project-config/states/workflow/set-state-transitions.ts'
import { createNewTemplate } from './features/project-config/templates/create-new-template.ts'
import { deleteTicketTemplates } from './features/project-config/templates/delete-ticket-templates.ts'
import { getTicketTemplate } from './features/project-config/templates/get-ticket-template.ts'
import { getTicketTemplateList } from './features/project-config/templates/get-ticket-template-list.ts'
import { getTicketTemplateUsage } from './features/project-config/templates/get-ticket-template-usage.ts'
import { restoreTicketTemplates } from './features/project-config/templates/restore-ticket-templates.ts'
import { setTicketTemplate } from './features/project-config/templates/set-ticket-template.ts'
import { setTicketTemplateOrder } from './features/project-config/templates/set-ticket-template-order.ts'
import { createProject } from './features/projects/create-project.ts'
import { getProjectData } from './features/projects/get-project-data.ts'
import { getProjectList } from './features/projects/get-project-list.ts'
import { getProjectProperty } from './features/projects/get-project-property.ts'
import { setProjectData } from './features/projects/set-project-data.ts'
import { exportTickets } from './features/search/exporting/export-tickets.ts'
import { searchTickets } from './features/search/search-tickets.ts'
import { suggestSearch } from './features/search/suggest-search.ts'
import { authenticate } from './features/session/authenticate.ts'
import { connstate } from './features/session/connstate.ts'
import { endSessions } from './features/session/end-sessions.ts'
import { getClientConfig } from './features/session/get-client-config.ts'
import { getSessionList } from './features/session/get-session-list.ts'
import { logout } from './features/session/logout.ts'
import { setUp } from './features/session/set-up.ts'
import { simulateTimeout } from './features/session/simulate-timeout.ts'
import { getProjectStatistics } from './features/statistics/get-project-statistics.ts'
import { getProjectRoleList } from './features/tickets/assignees/get-project-role-list.ts'
import { getProjectUserList } from './features/tickets/assignees/get-project-user-list.ts'
import { getProjectUserroleList } from './features/tickets/assignees/get-project-userrole-list.ts'
import { getTicketRolelist } from './features/tickets/assignees/get-ticket-rolelist.ts'
import { attachmentDownload } from './features/tickets/attachments/attachment-download.ts'
import { attachmentUpload } from './features/tickets/attachments/attachment-upload.ts'
import { applyBulkChange } from './features/tickets/bulk/apply-bulk-change.ts'
import { getChangeSetList } from './features/tickets/bulk/get-change-set-list.ts'
import { previewBulkChange } from './features/tickets/bulk/preview-bulk-change.ts'
import { revertChangeSet } from './features/tickets/bulk/revert-change-set.ts'
import { getBulkProgress } from './features/tickets/bulk/steps/get-bulk-progress.ts'
import { stopBulkChange } from './features/tickets/bulk/steps/stop-bulk-change.ts'
import { deleteComment } from './features/tickets/comments/delete-comment.ts'
import { getCommentHistory } from './features/tickets/comments/get-comment-history.ts'
import { getTicketComments } from './features/tickets/comments/get-ticket-comments.ts'
import { restoreComment } from './features/tickets/comments/restore-comment.ts'
import { setCommentReaction } from './features/tickets/comments/set-comment-reaction.ts'
import { setTicketComment } from './features/tickets/comments/set-ticket-comment.ts'
import { createNewTicket } from './features/tickets/create-new-ticket.ts'
import { getTicketByKey } from './features/tickets/get-ticket-by-key.ts'
import { getTicketData } from './features/tickets/get-ticket-data.ts'
import { getTicketHistory } from './features/tickets/history/get-ticket-history.ts'
import { findTickets } from './features/tickets/links/find-tickets.ts'
import { getTicketLinks } from './features/tickets/links/get-ticket-links.ts'
import { removeTicketLink } from './features/tickets/links/remove-ticket-link.ts'
import { setTicketLink } from './features/tickets/links/set-ticket-link.ts'
import { getTicketList } from './features/tickets/listing/get-ticket-list.ts'
import { queryTickets } from './features/tickets/listing/query-tickets.ts'
import { getMentionableUsers } from './features/tickets/mentions/get-mentionable-users.ts'
import { getTextNames } from './features/tickets/mentions/get-text-names.ts'
import { moveTicket } from './features/tickets/moving/move-ticket.ts'
import { moveTickets } from './features/tickets/moving/move-tickets.ts'
import { setTicketData } from './features/tickets/saving/set-ticket-data.ts'
import { getTicketWatchers } from './features/tickets/subscriptions/get-ticket-watchers.ts'
import { moveTicketWatchers } from './features/tickets/subscriptions/move-ticket-watchers.ts'
import { setTicketNotification } from './features/tickets/subscriptions/set-ticket-notification.ts'
import { setTicketWatcher } from './features/tickets/subscriptions/set-ticket-watcher.ts'
import { getTicketTrash } from './features/tickets/trash/get-ticket-trash.ts'
import { purgeTicket } from './features/tickets/trash/purge-ticket.ts'
import { restoreTicket } from './features/tickets/trash/restore-ticket.ts'
import { trashTicket } from './features/tickets/trash/trash-ticket.ts'
import { createUser } from './features/users/create-user.ts'
import { getUserEditData } from './features/users/get-user-edit-data.ts'
import { getUserList } from './features/users/get-user-list.ts'
import { sendWelcomeMail } from './features/users/send-welcome-mail.ts'
import { setUserActive } from './features/users/set-user-active.ts'
import { setUserDataAdmin } from './features/users/set-user-data-admin.ts'
import { deleteViews } from './features/views/delete-views.ts'
import { getViewList } from './features/views/get-view-list.ts'
import { restoreViews } from './features/views/restore-views.ts'
import { setView } from './features/views/set-view.ts'
import { setViewOrder } from './features/views/set-view-order.ts'
import type { Handlers } from './http/implement.ts'

export const handlers = {
  addProjectMember,
  attachmentDownload,
  applyBulkChange,
  attachmentUpload,
  authenticate,
  changePassword,
  confirmEmail,
  connstate,
  createNewState,
  createNewTemplate,
  createNewTicket,
  createNewTicketField,
  createOrganization,
  createProject,
  createProjectRole,
  createUser,
  deleteComment,
  deleteLabels,
  deleteProjectRoles,
  deleteTicketFields,
  deleteTicketStates,
  deleteTicketTemplates,
  endSessions,
  events,
  getBackupStatus,
  getClientConfig,
  getCommentHistory,
  getFieldTypeChange,
  getLabelList,
  getOrganizationData,
  getOrganizationMemberCandidates,
  getOrganizationList,
  getPermissionTypes,
  getProjectData,
  getProjectList,
  getProjectMemberCandidates,
  getProjectMembers,
  getProjectProperty,
  getProjectRoleList,
  getProjectRoles,
  getProjectUserList,
  getProjectUserroleList,
  getPropertytypeList,
  getSessionList,
  getStateTransitions,
  getTicketComments,
  getTicketData,
  getTicketByKey,
  getTicketFieldList,
  getTicketFieldUsage,
  getTicketHistory,
  findTickets,
  getTicketLinks,
  getTicketList,
  getTicketPropertyTypeList,
  getTicketRolelist,
  getTicketStateList,
  getTicketStateUsage,
  getTicketTemplate,
  getTicketTemplateList,
  getTicketTemplateUsage,
  getTicketTrash,
  getTicketWatchers,
  getMentionableUsers,
  getTextNames,
  getUserData,
  getUserEditData,
  getUserList,
  getUserPermissions,
  logout,
  moveOnBoard,
  moveTicket,
  moveTickets,
  purgeTicket,
  getBulkProgress,
  getChangeSetList,
  previewBulkChange,
  queryBoard,
  revertChangeSet,
  stopBulkChange,
  queryTickets,
  removeOrganizationMember,
  removeProjectMember,
  removeTicketLink,
  resetPassword,
  resetPasswordActivate,
  restoreComment,
  restoreLabels,
  restoreOrganizationMember,
  restoreProjectMember,
  restoreProjectRoles,
  restoreTicket,
  restoreTicketFields,
  restoreTicketStates,
  restoreTicketTemplates,
  setLabel,
  setOrganizationData,
  setOrganizationMember,
  getInvitation,
  acceptInvitation,
  setProjectData,
  setProjectRole,
  setProjectRoleOrder,
  setStateTransitions,
  setTicketComment,
  setTicketData,
  setTicketLink,
  setTicketWatcher,
  sendWelcomeMail,
  deleteViews,
  restoreViews,
  exportTickets,
  getProjectStatistics,
  getViewList,
  setView,
  setViewOrder,
  searchTickets,
  suggestSearch,
  setCommentReaction,
  setTicketField,
  setTicketFieldOrder,
  setTicketFieldType,
  moveTicketWatchers,
  setTicketNotification,
  setTicketState,
  setTicketStateOrder,
  setTicketTemplate,
  setTicketTemplateOrder,
  setUp,
  setUserActive,
  setUserData,
  setUserDataAdmin,
  setUserPermission,
  setUserPermissions,
  simulateTimeout,
  trashTicket,
} satisfies Handlers<
  typeof assignees &
    typeof attachments &
    typeof board &
    typeof bulk &
    typeof comments &
    typeof labels &
    typeof links &
    typeof live &
    typeof organizations &
    typeof passwordReset &
    typeof profile &
    typeof projectConfig &
    typeof projects &
    typeof search &
    typeof session &
    typeof statistics &
    typeof tickets &
    typeof users &
    typeof views
>
