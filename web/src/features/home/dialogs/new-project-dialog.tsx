import { messages } from '@tessera/contract/messages'
import { createProject } from '@tessera/contract/projects/projects'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { nameRule, shortCodeRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const create = useCallMutation(createProject)
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { Title: '', ShortCode: '' } })
  const { errors, isDirty } = formState
  const submit = handleSubmit(({ Title, ShortCode }) =>
    create.mutate(
      { Title: Title.trim(), ShortCode: ShortCode.trim() },
      whenAnswered(onClose, {
        done: messages.projectCreated,
        // It is empty: states and templates come first.
        next: ({ idProject }) => ({ label: 'SET UP', onClick: () => void navigate(`/edit-project/${idProject}`) }),
        failed: messages.projectCreationFailed,
        onTaken: message => setError('ShortCode', { message }, { shouldFocus: true }),
      }),
    ),
  )
  return (
    <FormDialog
      title="New Project"
      submitLabel="ADD"
      busy={create.isPending}
      isDirty={isDirty}
      error={formMessage(create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Title" {...register('Title', { validate: nameRule('a title') })} problem={errors.Title?.message} />
      <TextField
        label="ShortCode"
        {...register('ShortCode', { validate: shortCodeRule })}
        problem={errors.ShortCode?.message}
        helperText="Comes before each ticket number: letters, digits or _"
        autoCapitalize="characters"
        spellCheck={false}
      />
    </FormDialog>
  )
}
