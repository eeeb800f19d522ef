import { useQuery } from '@tanstack/react-query'
import { deleteTicketTemplates, getTicketTemplateUsage } from '@tessera/contract/projects/project-config'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { DeleteOrArchiveDialog } from '../deletion/delete-or-archive-dialog.tsx'
import { useAsOpened } from '../deletion/use-as-opened.ts'

interface DeleteTemplatesDialogProps {
  idProject: number
  templates: readonly { idTicketTemplate: number; Description: string }[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

export function DeleteTemplatesDialog({ templates: now, ...props }: DeleteTemplatesDialogProps) {
  const templates = useAsOpened(now)
  const ids = templates.map(({ idTicketTemplate }) => idTicketTemplate)
  const usage = useQuery({ ...callQuery(getTicketTemplateUsage, { idProject: props.idProject, ids }), staleTime: 0 })
  const rows = usage.data?.map(({ id, Tickets }) => ({
    id,
    name: templates.find(({ idTicketTemplate }) => idTicketTemplate === id)?.Description ?? '',
    isUsed: Tickets > 0,
    words: Tickets > 0 ? counted(Tickets, 'ticket') : 'not in use',
  }))
  return (
    <DeleteOrArchiveDialog
      {...props}
      call={deleteTicketTemplates}
      noun="template"
      ids={ids}
      usage={usage}
      rows={rows}
      kept="Tickets stay as they are"
    />
  )
}
