import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  createNewTemplate,
  type getTicketFieldList,
  type getTicketStateList,
  type getTicketTemplate,
  setTicketTemplate,
} from '@tessera/contract/project-config'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/api.ts'
import { nameRule } from '../../../lib/field-rules.ts'
import { useDraft } from '../../../lib/use-draft.ts'
import { TemplateFieldLists } from './template-field-lists.tsx'

interface TicketTemplateFormProps {
  idProject: number
  states: Response<typeof getTicketStateList>
  fields: Response<typeof getTicketFieldList>
  archived: Response<typeof getTicketFieldList>
  template?: Response<typeof getTicketTemplate>
  onClose: () => void
}

export function TicketTemplateForm({ idProject, states, fields, archived, template, onClose }: TicketTemplateFormProps) {
  const create = useCallMutation(createNewTemplate)
  const save = useCallMutation(setTicketTemplate)
  const { register, handleSubmit, formState, getValues } = useForm({ defaultValues: { Label: template?.Label ?? '' } })
  const { draft, changed, isDirty, set } = useDraft({
    idEntryState: template?.idEntryState ?? states[0]?.id ?? 0,
    Fields: template?.Fields ?? [],
  })
  const problem = formState.errors.Label
  const isChanged = isDirty || formState.isDirty
  const submit = handleSubmit(() => {
    const Label = getValues('Label').trim()
    if (!template) {
      create.mutate({ idProject, Label, ...draft }, whenAnswered(onClose, messages.templateCreated, messages.templateCreationFailed))
      return
    }
    save.mutate(
      { idProject, idTicketTemplate: template.idTicketTemplate, ...(Label !== template.Label && { Label }), ...changed },
      whenAnswered(onClose, messages.settingsSaved, messages.saveFailed),
    )
  })
  return (
    <FormDialog
      open
      title={template ? 'Edit Ticket Template' : 'New Ticket Template'}
      submitLabel={template ? 'SAVE' : 'ADD'}
      maxWidth="sm"
      disabled={draft.idEntryState === 0 || (template !== undefined && !isChanged)}
      busy={create.isPending || save.isPending}
      isDirty={isChanged}
      error={(create.error ?? save.error)?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Ticket Type"
        {...register('Label', { validate: nameRule('a ticket type') })}
        error={Boolean(problem)}
        helperText={problem?.message}
      />
      <Select
        label="Initial State"
        value={draft.idEntryState}
        options={states.map(({ id, Description, phase }) => ({ value: id, label: Description, icon: <PhaseMark phase={phase} /> }))}
        emptyText={messages.noItems}
        onChange={idEntryState => set({ idEntryState })}
      />
      <TemplateFieldLists
        chosen={draft.Fields}
        fields={[...fields, ...archived.map(field => ({ ...field, Label: `${field.Label} (archived)` }))]}
        offered={fields.map(({ id }) => id)}
        onChange={Fields => set({ Fields })}
      />
    </FormDialog>
  )
}
