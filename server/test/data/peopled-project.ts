import { allPermissions, type PermissionId } from '@tessera/contract/permissions'
import { makeMember, makeOrganization, makeProject, makeUser } from './factories.ts'
import type { TestServer } from '../servers/server.ts'

/** All permissions but one. */
export function allBut(permission: PermissionId) {
  return allPermissions.filter(held => held !== permission)
}

/** A project, a function that adds members, and a person of another organization for whom it does not exist. */
export async function peopledProject(server: TestServer, options: Parameters<typeof makeProject>[2] = {}) {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization, options)
  const idProject = project.projectId
  /** A member, signed in. */
  const someone = async (permissions: readonly number[] | 'all', person: Parameters<typeof makeUser>[2] = {}) => {
    const idUser = await makeUser(server.db, organization, person)
    const idProjectMember = await makeMember(server.db, organization, idProject, idUser, permissions)
    return { ...(await server.signedIn(idUser, organization)), idProjectMember }
  }
  const elsewhere = await makeOrganization(server.db)
  const foreign = await makeProject(server.db, elsewhere)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  return { organization, project, idProject, someone, elsewhere, foreign, foreigner }
}
