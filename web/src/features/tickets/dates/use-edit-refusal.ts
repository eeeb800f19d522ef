import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { needsPermission, projectArchived } from '@tessera/contract/refusals'
import { callQuery } from '../../../lib/calls/api.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'

/** Why the person cannot edit tickets of the project, or do what needs another permission; undefined if they can. */
export function useEditRefusal(idProject: number, needs: PermissionId = permission.editTickets) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const session = useSession()
  if (project.data?.Archived === 1) return projectArchived
  const isHeld = project.data?.Permissions?.includes(needs) || mayInProject(session, idProject, needs)
  return isHeld ? undefined : needsPermission(needs)
}
