import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import { getProjectRoles, restoreProjectRoles, setProjectRoleOrder } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { PersonIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { useRestore } from '../deletion/use-restore.ts'
import { ConfigListCard } from '../list-card/config-list-card.tsx'
import type { ProjectRights } from '../project-rights.ts'

const ProjectRoleDialog = lazy(async () => (await import('./project-role-dialog.tsx')).ProjectRoleDialog)
const DeleteRolesDialog = lazy(async () => (await import('./delete-roles-dialog.tsx')).DeleteRolesDialog)

export function ProjectRoleListCard({ rights }: { rights: ProjectRights }) {
  const { idProject } = rights
  const query = useQuery(callQuery(getProjectRoles, { idProject }))
  const { data } = query
  const restore = useRestore(restoreProjectRoles, idProject, 'role')
  const [opened, open] = useState<Response<typeof getProjectRoles>[number] | 'new'>()
  const [toDelete, setToDelete] = useState<number[]>()
  return (
    <>
      <ConfigListCard
        title="Roles"
        noun="role"
        rights={rights}
        needs={permission.manageProject}
        columns={['Role', 'In use']}
        rows={data?.map(({ id, Description, Assignments }) => ({
          id,
          name: Description,
          cells: [
            <span key="use" className="whole">
              {Assignments > 0 ? counted(Assignments, 'assignment') : 'not in use'}
            </span>,
          ],
        }))}
        query={query}
        order={setProjectRoleOrder}
        onOpen={row => open(row === 'new' ? row : data?.find(({ id }) => id === row))}
        onDelete={setToDelete}
        newLabel="NEW ROLE"
        empty={
          <EmptyState dense icon={<PersonIcon />} title="There are no roles yet">
            A role says what somebody does on a ticket: responsible, reviewer. It grants no permissions.
          </EmptyState>
        }
      />
      {opened && <ProjectRoleDialog idProject={idProject} {...(opened !== 'new' && { role: opened })} onClose={() => open(undefined)} />}
      {toDelete && data && (
        <DeleteRolesDialog idProject={idProject} roles={data} ids={toDelete} onRestore={restore} onClose={() => setToDelete(undefined)} />
      )}
    </>
  )
}
