import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/organizations.ts'

export const getOrganizationList = query<typeof shapes.getOrganizationList, 'session'>('get-organization-list', { access: 'session' })
export const createOrganization = mutation<typeof shapes.createOrganization, 'session'>('create-organization', {
  access: 'session',
  rank: 'super',
  changesRights: true,
  idempotent: true,
})
export const getOrganizationData = query<typeof shapes.getOrganizationData, 'organization'>('get-organization-data', {
  access: 'organization',
})
export const setOrganizationData = mutation<typeof shapes.setOrganizationData, 'organization'>('set-organization-data', {
  access: 'organization',
  changesRights: true,
})
export const setOrganizationMember = mutation<typeof shapes.setOrganizationMember, 'organization'>('set-organization-member', {
  access: 'organization',
  changesRights: true,
})
export const getInvitation = query<typeof shapes.getInvitation, 'public'>('public/get-invitation', { access: 'public' })
export const acceptInvitation = mutation<typeof shapes.acceptInvitation, 'public'>('public/accept-invitation', { access: 'public' })
export const getOrganizationMemberCandidates = query<typeof shapes.getOrganizationMemberCandidates, 'organization'>(
  'get-organization-member-candidates',
  { access: 'organization' },
)
export const removeOrganizationMember = mutation<typeof shapes.removeOrganizationMember, 'organization'>('remove-organization-member', {
  access: 'organization',
  changesRights: true,
})
export const restoreOrganizationMember = mutation<typeof shapes.restoreOrganizationMember, 'organization'>('restore-organization-member', {
  access: 'organization',
  changesRights: true,
})

export const getBackupStatus = query<typeof shapes.getBackupStatus, 'session'>('get-backup-status', { access: 'session', rank: 'super' })
