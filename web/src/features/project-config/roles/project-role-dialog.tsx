import { createProjectRole, setProjectRole } from '@tessera/contract/projects/projects'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'

interface ProjectRoleDialogProps {
  idProject: number
  /** The role to rename, as it was when the dialog was opened; undefined for a new role. */
  role?: { id: number; Description: string }
  onClose: () => void
}

export function ProjectRoleDialog({ idProject, role, onClose }: ProjectRoleDialogProps) {
  const create = useCallMutation(createProjectRole)
  const rename = useCallMutation(setProjectRole)
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { Role: role?.Description ?? '' } })
  const submit = handleSubmit(values => {
    const Role = values.Role.trim()
    const answered = whenAnswered(onClose, {
      done: role ? 'The role was renamed' : 'The role was added',
      onTaken: message => setError('Role', { message }, { shouldFocus: true }),
    })
    if (role) rename.mutate({ idProject, idRole: role.id, Role }, answered)
    else create.mutate({ idProject, Role }, answered)
  })
  return (
    <FormDialog
      title={role ? 'Edit Role' : 'New Role'}
      submitLabel={role ? 'SAVE' : 'ADD'}
      disabled={role !== undefined && !formState.isDirty}
      busy={create.isPending || rename.isPending}
      isDirty={formState.isDirty}
      error={formMessage(create.error ?? rename.error, role ? 'role' : 'project')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Role"
        {...register('Role', { validate: nameRule('a name for the role') })}
        problem={formState.errors.Role?.message}
      />
    </FormDialog>
  )
}
