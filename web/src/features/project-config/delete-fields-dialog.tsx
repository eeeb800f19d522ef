import { useQuery } from '@tanstack/react-query'
import { deleteTicketFields, getTicketFieldUsage } from '@tessera/contract/project-config'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'
import { AffectedList } from './affected-list.tsx'

interface DeleteFieldsDialogProps {
  idProject: number
  fields: readonly { id: number; Label: string }[]
  onRestore: (ids: number[]) => void
  onClose: () => void
}

/** Unused fields go for ever, used ones into the archive. */
export function DeleteFieldsDialog({ idProject, fields, onRestore, onClose }: DeleteFieldsDialogProps) {
  const ids = fields.map(({ id }) => id)
  const { data: usage } = useQuery({ ...callQuery(getTicketFieldUsage, { idProject, ids }), staleTime: 0 })
  const remove = useCallMutation(deleteTicketFields)
  const rows = usage?.map(({ id, Templates, Tickets }) => ({
    id,
    name: fields.find(field => field.id === id)?.Label ?? '',
    isUsed: Templates + Tickets > 0,
    words: Templates + Tickets > 0 ? `${counted(Templates, 'template')}, ${counted(Tickets, 'ticket')}` : 'not in use',
  }))
  const confirm = () =>
    remove.mutate(
      { idProject, ids },
      {
        onSuccess: ({ Deleted, Archived }) => {
          if (Archived.length > 0) {
            const words = `${counted(Archived.length, 'field')} archived${Deleted.length > 0 ? `, ${Deleted.length} deleted` : ''}`
            notify.success(words, { label: 'UNDO', onClick: () => onRestore(Archived) })
          } else notify.success(`${counted(Deleted.length, 'field')} deleted`)
          onClose()
        },
        onError: problem => problem instanceof SessionTimedOut || notify.error(problem.message),
      },
    )
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, 'field')}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || !rows}
      onConfirm={confirm}
      onClose={onClose}
    >
      {!rows && <AffectedList label="" rows={undefined} />}
      <AffectedList label="Deleted for ever" rows={rows?.filter(({ isUsed }) => !isUsed) ?? []} />
      <AffectedList
        label="In use: archived. Tickets keep their values, and you can restore it"
        rows={rows?.filter(({ isUsed }) => isUsed) ?? []}
      />
    </ConfirmDialog>
  )
}
