import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getTicketFieldList, getTicketStateList, getTicketTemplate } from '@tessera/contract/projects/project-config'
import { useState } from 'react'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { TicketTemplateForm } from './ticket-template-form.tsx'

interface TicketTemplateDialogProps {
  idProject: number
  /** The template to change; a new one without it. */
  idTicketTemplate?: number
  onClose: () => void
}

export function TicketTemplateDialog({ idProject, idTicketTemplate, onClose }: TicketTemplateDialogProps) {
  const states = useQuery(callQuery(getTicketStateList, { idProject }))
  const fields = useQuery(callQuery(getTicketFieldList, { idProject }))
  const archived = useQuery({ ...callQuery(getTicketFieldList, { idProject, Archived: 1 }), enabled: idTicketTemplate !== undefined })
  const template = useQuery({
    ...callQuery(getTicketTemplate, { idProject, idTicketTemplate: idTicketTemplate ?? 0 }),
    enabled: idTicketTemplate !== undefined,
  })
  // The form keeps what it was opened with: the save is refused if somebody else has changed the lists meanwhile.
  const [opened, open] = useState<Response<typeof getTicketTemplate>>()
  if (!opened && template.data && !template.isFetching) open(template.data)
  const loads = [states, fields, archived, template]
  if (states.data && fields.data && (idTicketTemplate === undefined || (opened && archived.data))) {
    return (
      <TicketTemplateForm
        idProject={idProject}
        states={states.data}
        fields={fields.data}
        archived={(archived.data ?? []).filter(({ id }) => !fields.data.some(field => field.id === id))}
        {...(opened && { template: opened })}
        onClose={onClose}
      />
    )
  }
  const [title, submitLabel] = idTicketTemplate === undefined ? ['New Ticket Template', 'ADD'] : ['Edit Ticket Template', 'SAVE']
  return (
    <FormDialog title={title} submitLabel={submitLabel} maxWidth="sm" disabled onSubmit={() => undefined} onClose={onClose}>
      <LoadProblem of={loads} />
      {!loads.some(hasFailed) && [56, 56, 160].map((height, index) => <Skeleton key={index} height={height} />)}
    </FormDialog>
  )
}
