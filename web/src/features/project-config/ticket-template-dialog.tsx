import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList, getTicketStateList, getTicketTemplate } from '@tessera/contract/project-config'
import { FormDialog } from '../../components/form-dialog.tsx'
import { callQuery } from '../../lib/api.ts'
import { TicketTemplateForm } from './ticket-template-form.tsx'

interface TicketTemplateDialogProps {
  idProject: number
  /** The template to change; a new one without it. */
  idTicketTemplate?: number
  onClose: () => void
}

export function TicketTemplateDialog({ idProject, idTicketTemplate, onClose }: TicketTemplateDialogProps) {
  const states = useQuery(callQuery(getTicketStateList, { idProject })).data
  const fields = useQuery(callQuery(getTicketFieldList, { idProject })).data
  const archived = useQuery({ ...callQuery(getTicketFieldList, { idProject, Archived: 1 }), enabled: idTicketTemplate !== undefined }).data
  const template = useQuery({
    ...callQuery(getTicketTemplate, { idProject, idTicketTemplate: idTicketTemplate ?? 0 }),
    enabled: idTicketTemplate !== undefined,
  }).data
  if (states && fields && (idTicketTemplate === undefined || (template && archived))) {
    return (
      <TicketTemplateForm
        idProject={idProject}
        states={states}
        fields={fields}
        archived={(archived ?? []).filter(({ id }) => !fields.some(field => field.id === id))}
        {...(template && { template })}
        onClose={onClose}
      />
    )
  }
  const title = idTicketTemplate === undefined ? 'New Ticket Template' : 'Edit Ticket Template'
  return (
    <FormDialog open title={title} submitLabel="ADD" maxWidth="sm" disabled onSubmit={() => undefined} onClose={onClose}>
      <Skeleton variant="rounded" height={56} />
      <Skeleton variant="rounded" height={56} />
      <Skeleton variant="rounded" height={160} />
    </FormDialog>
  )
}
