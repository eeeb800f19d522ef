import { deleteProjectRoles } from '@tessera/contract/projects/projects'
import { counted } from '../../../lib/display/format.ts'
import { AffectedList } from '../deletion/affected-list.tsx'
import { DeleteDialog } from '../deletion/delete-dialog.tsx'
import { useAsOpened } from '../deletion/use-as-opened.ts'

interface DeleteRolesDialogProps {
  idProject: number
  /** Every role of the project. */
  roles: readonly { id: number; Description: string; Assignments: number }[]
  ids: number[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** Deletes roles: a role that somebody holds on a ticket needs a replacement. */
export function DeleteRolesDialog({ roles, ...props }: DeleteRolesDialogProps) {
  const { ids } = props
  const opened = useAsOpened(roles.filter(({ id }) => ids.includes(id)))
  const rolesToDelete = opened.map(role => roles.find(({ id }) => id === role.id) ?? role)
  const assignments = rolesToDelete.reduce((sum, { Assignments }) => sum + Assignments, 0)
  return (
    <DeleteDialog
      {...props}
      call={deleteProjectRoles}
      noun="role"
      replacement={
        assignments > 0
          ? { label: `Give ${counted(assignments, 'assignment')} the role`, choices: roles.filter(({ id }) => !ids.includes(id)) }
          : undefined
      }
      done={() => `${counted(ids.length, 'role')} deleted`}
    >
      <AffectedList
        label="Deleted"
        rows={rolesToDelete.map(({ id, Description, Assignments }) => ({
          id,
          name: Description,
          words: Assignments > 0 ? counted(Assignments, 'assignment') : 'not in use',
        }))}
      />
    </DeleteDialog>
  )
}
