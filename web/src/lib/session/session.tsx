import type { SignedIn } from '@tessera/contract/people/session'
import type { PermissionId } from '@tessera/contract/permissions'
import { organizationAdmin } from '@tessera/contract/permissions'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../state/listeners.ts'
import { forgetOthers } from './private-storage.ts'

/** What the page knows about who is signed in: hints for the screens only; the server decides. */
export interface Session {
  authenticated: boolean
  /** The session ended while the page was open; the person is remembered until somebody signs in or out. */
  timedOut: boolean
  /** While timed out: the dialog is open, was closed for now, or was canceled. */
  reconnect: 'asked' | 'later' | 'canceled'
  /** Another person signed in in this browser; this page must be reloaded. */
  identityChanged: boolean
  /** The organizations to choose from during a login; empty without a choice. */
  organizations: { id: number; name: string }[]
  idUser: number
  idOrganization: number
  organizationName: string
  isSuper: boolean
  isManager: boolean
  /** Of the organization; a super user always is. */
  isAdmin: boolean
  projects: SignedIn['projects']
  projectPermissions: SignedIn['projperms']
  idActiveProject: number | undefined
  displayName: string
}

const nobody: Session = {
  authenticated: false,
  timedOut: false,
  reconnect: 'asked',
  identityChanged: false,
  organizations: [],
  idUser: 0,
  idOrganization: 0,
  organizationName: '',
  isSuper: false,
  isManager: false,
  isAdmin: false,
  projects: [],
  projectPermissions: [],
  idActiveProject: undefined,
  displayName: '',
}

let session = nobody
const { subscribe, notify } = createListeners()

export { subscribe as onSessionChange }

function become(next: Session) {
  session = next
  notify()
}

export function currentSession() {
  return session
}
export function useSession() {
  return useSyncExternalStore(subscribe, currentSession)
}

/** Stores the answer of `authenticate` or `connstate`; the active project is kept while it exists. */
export function enterSession(answer: SignedIn) {
  const active = answer.projects.find(({ id }) => id === session.idActiveProject) ?? answer.projects[0]
  const next: Session = {
    ...nobody,
    authenticated: true,
    idUser: answer.idUser,
    idOrganization: answer.orgid,
    organizationName: answer.orgname,
    isSuper: answer.super === 1,
    isManager: answer.managedorgs > 0,
    isAdmin: answer.orgperms.includes(organizationAdmin),
    projects: answer.projects,
    projectPermissions: answer.projperms,
    idActiveProject: active?.id,
    displayName: answer.DisplayName,
  }
  forgetOthers(answer.idUser)
  // An equal answer causes no render.
  if (JSON.stringify(next) !== JSON.stringify(session)) become(next)
}
export function leaveSession() {
  become(nobody)
}
export function askForOrganization(organizations: Session['organizations']) {
  become({ ...session, organizations })
}
/** Opens the reconnect dialog, on the first 403 and whenever the session is needed again. */
export function timeOutSession() {
  if (session.timedOut && session.reconnect === 'asked') return
  become({ ...session, authenticated: false, timedOut: true, reconnect: 'asked' })
}
export function closeReconnect(how: 'later' | 'canceled') {
  become({ ...session, reconnect: how })
}
export function changeIdentity() {
  become({ ...session, identityChanged: true })
}
export function activateProject(idProject: number) {
  if (idProject !== session.idActiveProject && session.projects.some(({ id }) => id === idProject))
    become({ ...session, idActiveProject: idProject })
}

/** Whether the person holds the permission in the project. An organization admin holds all, also in archived projects, which `projectPermissions` lacks. */
export function mayInProject(session: Session, idProject: number, permission: PermissionId) {
  return session.isAdmin || permissionsIn(session, idProject)?.includes(permission) === true
}
/** The person's own permissions in the project; undefined in one that is archived or that they are no member of. */
export function permissionsIn({ projectPermissions }: Session, idProject: number) {
  return projectPermissions.find(entry => entry.idProject === idProject)?.Permissions
}
/** Where a sign-in leads: the only project, or home. */
export function landingPath({ projects }: Session) {
  return projects.length === 1 ? `/view-project/${projects[0]?.id}` : '/home'
}
