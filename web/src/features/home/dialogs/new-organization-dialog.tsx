import { messages } from '@tessera/contract/messages'
import { createOrganization } from '@tessera/contract/people/organizations'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'

export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const create = useCallMutation(createOrganization)
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { Title: '' } })
  const { errors, isDirty } = formState
  const submit = handleSubmit(({ Title }) =>
    create.mutate(
      { Title: Title.trim() },
      whenAnswered(onClose, {
        done: messages.organizationCreated,
        failed: messages.organizationCreationFailed,
        onTaken: message => setError('Title', { message }, { shouldFocus: true }),
      }),
    ),
  )
  return (
    <FormDialog
      title="New Organization"
      submitLabel="ADD"
      busy={create.isPending}
      isDirty={isDirty}
      error={formMessage(create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Title" {...register('Title', { validate: nameRule('a title') })} problem={errors.Title?.message} />
    </FormDialog>
  )
}
