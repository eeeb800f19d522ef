import type { deleteTicketFields, deleteTicketTemplates } from '@tessera/contract/project-config'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { undo } from '../../components/undo.ts'
import { SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'
import { AffectedList } from './affected-list.tsx'

interface DeleteOrArchiveDialogProps {
  call: typeof deleteTicketFields | typeof deleteTicketTemplates
  idProject: number
  noun: 'field' | 'template'
  ids: number[]
  /** Each of them by name, with what uses it; undefined while it is being counted. */
  rows: readonly { id: number; name: string; isUsed: boolean; words: string }[] | undefined
  /** What stays as it is when one in use is archived. */
  kept: string
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** What is not in use is deleted, the rest archived. */
export function DeleteOrArchiveDialog({ call, idProject, noun, ids, rows, kept, onRestore, onClose }: DeleteOrArchiveDialogProps) {
  const remove = useCallMutation(call)
  const confirm = () =>
    remove.mutate(
      { idProject, ids },
      {
        onSuccess: ({ Deleted, Archived }) => {
          const words =
            Archived.length === 0
              ? `${counted(Deleted.length, noun)} deleted`
              : `${counted(Archived.length, noun)} archived${Deleted.length > 0 ? `, ${Deleted.length} deleted` : ''}`
          notify.success(
            words,
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
      title={`Delete ${counted(ids.length, noun)}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || !rows}
      onConfirm={confirm}
      onClose={onClose}
    >
      {!rows && <AffectedList label="" rows={undefined} />}
      <AffectedList label="Not in use: deleted" rows={rows?.filter(({ isUsed }) => !isUsed) ?? []} />
      <AffectedList label={`In use: archived. ${kept}, and you can restore it`} rows={rows?.filter(({ isUsed }) => isUsed) ?? []} />
    </ConfirmDialog>
  )
}
