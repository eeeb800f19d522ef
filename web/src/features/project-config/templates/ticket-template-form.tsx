import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  createNewTemplate,
  type getTicketFieldList,
  type getTicketStateList,
  type getTicketTemplate,
  setTicketTemplate,
  type TemplateDefaults,
} from '@tessera/contract/projects/project-config'
import { Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../components/button/button.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { ChevronDownIcon, ChevronRightIcon } from '../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Select } from '../../../components/select/select.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import type { CallError } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { mergeLists } from '../../../lib/forms/drafts/merge.ts'
import { useDraft } from '../../../lib/forms/drafts/use-draft.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import { childTitleRule, defaultTitleRule, mergedDefaults, storedDefaults } from './edited-defaults.ts'
import styles from './template-defaults.module.css'
import { TemplateFieldLists } from './template-field-lists.tsx'

const TemplateDefaultsFields = lazy(async () => (await import('./template-defaults.tsx')).TemplateDefaults)

interface TicketTemplateFormProps {
  idProject: number
  states: Response<typeof getTicketStateList>
  fields: Response<typeof getTicketFieldList>
  archived: Response<typeof getTicketFieldList>
  /** The template to change, as it was when the dialog was opened. */
  template?: Response<typeof getTicketTemplate>
  onClose: () => void
}

export function TicketTemplateForm({ idProject, states, fields, archived, template, onClose }: TicketTemplateFormProps) {
  const create = useCallMutation(createNewTemplate)
  const save = useCallMutation(setTicketTemplate)
  const { register, handleSubmit, formState, getValues, setError } = useForm({ defaultValues: { Label: template?.Label ?? '' } })
  const [read, setRead] = useState({
    idEntryState: template?.idEntryState ?? states[0]?.id ?? 0,
    Fields: template?.Fields ?? [],
    Defaults: template?.Defaults ?? {},
  })
  const { draft, changed, isDirty, set } = useDraft(read)
  const [hasDefaults, showDefaults] = useState(Object.keys(template?.Defaults ?? {}).length > 0)
  const named = [...fields, ...archived.map(field => ({ ...field, Label: `${field.Label} (archived)` }))]
  // A field that is deleted meanwhile is no longer chosen.
  const Fields = draft.Fields.filter(id => named.some(field => field.id === id))
  const shownFields = Fields.flatMap(id => fields.find(field => field.id === id) ?? [])
  // Values of a field that is removed from the template are not sent, but reappear if it is added again.
  const setDefaults = (change: Partial<TemplateDefaults>) => set({ Defaults: { ...draft.Defaults, ...change } })
  const { Title = '', Children = [] } = draft.Defaults
  const isTitleWrong = defaultTitleRule(Title) !== undefined || Children.some(child => childTitleRule(child.Title) !== undefined)
  const isChanged = isDirty || formState.isDirty
  const onTaken = (message: string) => setError('Label', { message }, { shouldFocus: true })
  const submit = handleSubmit(() => {
    const Label = getValues('Label').trim()
    if (!template) {
      create.mutate(
        { idProject, Label, idEntryState: draft.idEntryState, Fields },
        whenAnswered(onClose, { done: messages.templateCreated, failed: messages.templateCreationFailed, onTaken }),
      )
      return
    }
    const answered = whenAnswered(onClose, { done: messages.settingsSaved, failed: messages.saveFailed, onTaken })
    const onError = (problem: CallError) => {
      answered.onError(problem)
      if (problem.code !== 'conflict') return
      const theirs = problem.body as Pick<typeof read, 'Fields' | 'Defaults'>
      set({
        Fields: mergeLists(read.Fields, draft.Fields, theirs.Fields, id => id),
        Defaults: mergedDefaults(read.Defaults, draft.Defaults, theirs.Defaults),
      })
      setRead({ ...read, Fields: theirs.Fields, Defaults: theirs.Defaults })
    }
    save.mutate(
      {
        idProject,
        idTicketTemplate: template.idTicketTemplate,
        ...(Label !== template.Label && { Label }),
        ...changed,
        ...(changed.Fields && { Fields, FieldsBefore: read.Fields }),
        ...(changed.Defaults && {
          DefaultsBefore: read.Defaults,
          Defaults: storedDefaults(
            changed.Defaults,
            shownFields.map(({ Key }) => Key),
          ),
        }),
      },
      { ...answered, onError },
    )
  })
  return (
    <FormDialog
      title={template ? 'Edit Ticket Template' : 'New Ticket Template'}
      submitLabel={template ? 'SAVE' : 'ADD'}
      maxWidth="sm"
      disabled={draft.idEntryState === 0 || (template !== undefined && !isChanged) || isTitleWrong}
      busy={create.isPending || save.isPending}
      isDirty={isChanged}
      error={formMessage(create.error ?? save.error, template ? 'template' : 'project')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Ticket Type"
        {...register('Label', { validate: nameRule('a ticket type') })}
        problem={formState.errors.Label?.message}
      />
      <Select
        label="Initial State"
        value={draft.idEntryState}
        options={states.map(({ id, Description, phase }) => ({ value: id, label: Description, icon: <PhaseMark phase={phase} /> }))}
        emptyText={messages.noItems}
        onChange={idEntryState => set({ idEntryState })}
      />
      <TemplateFieldLists
        chosen={Fields}
        fields={named}
        offered={fields.map(({ id }) => id)}
        onChange={chosen => set({ Fields: chosen })}
      />
      {template && (
        <Button variant="text" aria-expanded={hasDefaults} onClick={() => showDefaults(!hasDefaults)} className={styles.opener}>
          {hasDefaults ? <ChevronDownIcon fontSize="small" /> : <ChevronRightIcon fontSize="small" />}
          DEFAULTS OF A NEW TICKET
        </Button>
      )}
      <Suspense fallback={<Skeleton height={160} />}>
        {template && hasDefaults && (
          <TemplateDefaultsFields idProject={idProject} fields={shownFields} value={draft.Defaults} onChange={setDefaults} />
        )}
      </Suspense>
    </FormDialog>
  )
}
