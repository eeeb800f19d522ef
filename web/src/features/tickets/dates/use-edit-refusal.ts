import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission, permissionName } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { archivedReason } from '../../../components/permission-gate/archived-reason.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'

/** Why the person cannot edit tickets of the project, or do what needs another permission; undefined if they can. */
export function useEditRefusal(idProject: number, needs: PermissionId = permission.editTickets) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const session = useSession()
  if (project.data?.Archived === 1) return archivedReason
  const isHeld = project.data?.Permissions?.includes(needs) || mayInProject(session, idProject, needs)
  return isHeld ? undefined : `This needs the permission ${permissionName(needs)}`
}
