import { useQuery } from '@tanstack/react-query'
import { permission, permissionName } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { archivedReason } from '../../../components/permission-gate/archived-reason.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'

/** Why the person cannot edit tickets of the project; undefined if they can. */
export function useEditRefusal(idProject: number) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const session = useSession()
  if (project.data?.Archived === 1) return archivedReason
  const mayEdit = project.data?.Permissions?.includes(permission.editTickets) || mayInProject(session, idProject, permission.editTickets)
  return mayEdit ? undefined : `This needs the permission ${permissionName(permission.editTickets)}`
}
