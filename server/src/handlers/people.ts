/** The handler of each call about sessions, accounts and organizations. */
import type * as organizations from '@tessera/contract/people/organizations'
import type * as passwordReset from '@tessera/contract/people/password-reset'
import type * as profile from '@tessera/contract/people/profile'
import type * as session from '@tessera/contract/people/session'
import type * as users from '@tessera/contract/people/users'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { getBackupStatus } from '../features/organizations/get-backup-status.ts'
import { getOrganizationData } from '../features/organizations/get-organization-data.ts'
import { getOrganizationList } from '../features/organizations/get-organization-list.ts'
import { acceptInvitation } from '../features/organizations/members/accept-invitation.ts'
import { getInvitation } from '../features/organizations/members/get-invitation.ts'
import { getOrganizationMemberCandidates } from '../features/organizations/members/get-organization-member-candidates.ts'
import { removeOrganizationMember } from '../features/organizations/members/remove-organization-member.ts'
import { restoreOrganizationMember } from '../features/organizations/members/restore-organization-member.ts'
import { setOrganizationMember } from '../features/organizations/members/set-organization-member.ts'
import { setOrganizationData } from '../features/organizations/set-organization-data.ts'
import { resetPassword } from '../features/password-reset/reset-password.ts'
import { resetPasswordActivate } from '../features/password-reset/reset-password-activate.ts'
import { changePassword } from '../features/profile/change-password.ts'
import { confirmEmail } from '../features/profile/confirm-email.ts'
import { getUserData } from '../features/profile/get-user-data.ts'
import { setUserData } from '../features/profile/set-user-data.ts'
import { authenticate } from '../features/session/authenticate.ts'
import { connstate } from '../features/session/connstate.ts'
import { endSessions } from '../features/session/end-sessions.ts'
import { getClientConfig } from '../features/session/get-client-config.ts'
import { getSessionList } from '../features/session/get-session-list.ts'
import { logout } from '../features/session/logout.ts'
import { setUp } from '../features/session/set-up.ts'
import { simulateTimeout } from '../features/session/simulate-timeout.ts'
import { createUser } from '../features/users/create-user.ts'
import { getUserEditData } from '../features/users/get-user-edit-data.ts'
import { getUserList } from '../features/users/get-user-list.ts'
import { sendWelcomeMail } from '../features/users/send-welcome-mail.ts'
import { setUserActive } from '../features/users/set-user-active.ts'
import { setUserDataAdmin } from '../features/users/set-user-data-admin.ts'
import type { Handlers } from '../http/implement.ts'

export const peopleHandlers = {
  acceptInvitation,
  authenticate,
  changePassword,
  confirmEmail,
  connstate,
  createOrganization,
  createUser,
  endSessions,
  getBackupStatus,
  getClientConfig,
  getInvitation,
  getOrganizationData,
  getOrganizationList,
  getOrganizationMemberCandidates,
  getSessionList,
  getUserData,
  getUserEditData,
  getUserList,
  logout,
  removeOrganizationMember,
  resetPassword,
  resetPasswordActivate,
  restoreOrganizationMember,
  sendWelcomeMail,
  setOrganizationData,
  setOrganizationMember,
  setUp,
  setUserActive,
  setUserData,
  setUserDataAdmin,
  simulateTimeout,
} satisfies Handlers<typeof organizations & typeof passwordReset & typeof profile & typeof session & typeof users>
