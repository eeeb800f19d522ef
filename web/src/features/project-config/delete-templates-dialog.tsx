import { useQuery } from '@tanstack/react-query'
import { deleteTicketTemplates, getTicketTemplateUsage } from '@tessera/contract/project-config'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'
import { AffectedList } from './affected-list.tsx'

interface DeleteTemplatesDialogProps {
  idProject: number
  templates: readonly { idTicketTemplate: number; Description: string }[]
  onRestore: (ids: number[]) => void
  onClose: () => void
}

/** Unused templates go for ever, used ones into the archive. */
export function DeleteTemplatesDialog({ idProject, templates, onRestore, onClose }: DeleteTemplatesDialogProps) {
  const ids = templates.map(({ idTicketTemplate }) => idTicketTemplate)
  const { data: usage } = useQuery({ ...callQuery(getTicketTemplateUsage, { idProject, ids }), staleTime: 0 })
  const remove = useCallMutation(deleteTicketTemplates)
  const rows = usage?.map(({ id, Tickets }) => ({
    id,
    name: templates.find(({ idTicketTemplate }) => idTicketTemplate === id)?.Description ?? '',
    isUsed: Tickets > 0,
    words: Tickets > 0 ? counted(Tickets, 'ticket') : 'not in use',
  }))
  const confirm = () =>
    remove.mutate(
      { idProject, ids },
      {
        onSuccess: ({ Deleted, Archived }) => {
          if (Archived.length > 0) {
            const words = `${counted(Archived.length, 'template')} archived${Deleted.length > 0 ? `, ${Deleted.length} deleted` : ''}`
            notify.success(words, { label: 'UNDO', onClick: () => onRestore(Archived) })
          } else notify.success(`${counted(Deleted.length, 'template')} deleted`)
          onClose()
        },
        onError: problem => problem instanceof SessionTimedOut || notify.error(problem.message),
      },
    )
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, 'template')}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || !rows}
      onConfirm={confirm}
      onClose={onClose}
    >
      {!rows && <AffectedList label="" rows={undefined} />}
      <AffectedList label="Deleted for ever" rows={rows?.filter(({ isUsed }) => !isUsed) ?? []} />
      <AffectedList
        label="In use: archived. Its tickets stay as they are, and you can restore it"
        rows={rows?.filter(({ isUsed }) => isUsed) ?? []}
      />
    </ConfirmDialog>
  )
}
