import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { deleteProjectRoles } from '@tessera/contract/projects'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { undo } from '../../components/undo.ts'
import { SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'
import { AffectedList } from './affected-list.tsx'

interface DeleteRolesDialogProps {
  idProject: number
  roles: readonly { id: number; Description: string; Assignments: number }[]
  ids: number[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** A role that somebody holds on a ticket needs another one in its place. */
export function DeleteRolesDialog({ idProject, roles, ids, onRestore, onClose }: DeleteRolesDialogProps) {
  const remove = useCallMutation(deleteProjectRoles)
  const [replacement, replace] = useState<number>()
  const doomed = roles.filter(({ id }) => ids.includes(id))
  const kept = roles.filter(({ id }) => !ids.includes(id))
  const assignments = doomed.reduce((sum, { Assignments }) => sum + Assignments, 0)
  const confirm = () =>
    remove.mutate(
      { idProject, ids, ...(assignments > 0 && replacement && { idReplacement: replacement }) },
      {
        onSuccess: () => {
          notify.success(
            `${counted(ids.length, 'role')} deleted`,
            undo(() => onRestore(ids)),
          )
          onClose()
        },
        onError: problem => problem instanceof SessionTimedOut || notify.error(problem.message),
      },
    )
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, 'role')}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || (assignments > 0 && !replacement)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <AffectedList
        label="Deleted"
        rows={doomed.map(({ id, Description, Assignments }) => ({
          id,
          name: Description,
          words: Assignments > 0 ? counted(Assignments, 'assignment') : 'not in use',
        }))}
      />
      {assignments > 0 && (
        <TextField
          select
          label={`Give ${counted(assignments, 'assignment')} the role`}
          value={replacement ?? ''}
          onChange={event => replace(Number(event.target.value))}
          sx={{ mt: 2 }}
        >
          {kept.length === 0 && <MenuItem disabled>There is no other role</MenuItem>}
          {kept.map(({ id, Description }) => (
            <MenuItem key={id} value={id}>
              {Description}
            </MenuItem>
          ))}
        </TextField>
      )}
    </ConfirmDialog>
  )
}
