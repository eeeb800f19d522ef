import { useQuery } from '@tanstack/react-query'
import { deleteTicketFields, getTicketFieldUsage } from '@tessera/contract/projects/project-config'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { DeleteOrArchiveDialog } from '../deletion/delete-or-archive-dialog.tsx'
import { useAsOpened } from '../deletion/use-as-opened.ts'

interface DeleteFieldsDialogProps {
  idProject: number
  fields: readonly { id: number; Label: string }[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

export function DeleteFieldsDialog({ fields: now, ...props }: DeleteFieldsDialogProps) {
  const fields = useAsOpened(now)
  const ids = fields.map(({ id }) => id)
  const usage = useQuery({ ...callQuery(getTicketFieldUsage, { idProject: props.idProject, ids }), staleTime: 0 })
  const rows = usage.data?.map(({ id, Templates, Tickets }) => ({
    id,
    name: fields.find(field => field.id === id)?.Label ?? '',
    isUsed: Templates + Tickets > 0,
    words: Templates + Tickets > 0 ? `${counted(Templates, 'template')}, ${counted(Tickets, 'ticket')}` : 'not in use',
  }))
  return (
    <DeleteOrArchiveDialog
      {...props}
      call={deleteTicketFields}
      noun="field"
      ids={ids}
      usage={usage}
      rows={rows}
      kept="Tickets keep their values"
    />
  )
}
