import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/projects.ts'

export const getProjectList = query<typeof shapes.getProjectList, 'session'>('get-project-list', { access: 'session' })
export const createProject = mutation<typeof shapes.createProject, 'session'>('create-project', {
  access: 'session',
  rank: 'admin',
  changesRights: true,
  idempotent: true,
})
export const getProjectProperty = query<typeof shapes.getProjectProperty, 'project'>('get-project-property.php', { access: 'project' })

export const getProjectData = query<typeof shapes.getProjectData, 'project'>('get-project-data', { access: 'project' })
export const setProjectData = mutation<typeof shapes.setProjectData, 'project'>('set-project-data', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})

export const getProjectMembers = query<typeof shapes.getProjectMembers, 'project'>('get-project-members', { access: 'project' })
export const getProjectMemberCandidates = query<typeof shapes.getProjectMemberCandidates, 'project'>('get-project-member-candidates', {
  access: 'project',
  permission: permission.manageProject,
})
export const addProjectMember = mutation<typeof shapes.addProjectMember, 'project'>('add-project-member', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
export const removeProjectMember = mutation<typeof shapes.removeProjectMember, 'project'>('remove-project-member', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
export const restoreProjectMember = mutation<typeof shapes.restoreProjectMember, 'project'>('restore-project-member', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})

export const getProjectRoles = query<typeof shapes.getProjectRoles, 'project'>('get-project-roles', { access: 'project' })
export const createProjectRole = mutation<typeof shapes.createProjectRole, 'project'>('create-project-role', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
  idempotent: true,
})
export const setProjectRole = mutation<typeof shapes.setProjectRole, 'project'>('set-project-role', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
export const setProjectRoleOrder = mutation<typeof shapes.setProjectRoleOrder, 'project'>('set-project-role-order', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
export const deleteProjectRoles = mutation<typeof shapes.deleteProjectRoles, 'project'>('delete-project-roles', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
export const restoreProjectRoles = mutation<typeof shapes.restoreProjectRoles, 'project'>('restore-project-roles', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
})
