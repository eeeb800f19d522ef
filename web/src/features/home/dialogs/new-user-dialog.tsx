import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { createUser } from '@tessera/contract/people/users'
import { getProjectList } from '@tessera/contract/projects/projects'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { MultiSelectField } from '../../../components/autocomplete/multi-select-field.tsx'
import { LabelledCheckBox } from '../../../components/check-box/check-box.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { callQuery, useCallMutation } from '../../../lib/calls/api.ts'
import { emailRule, lengthRule, newLoginRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'

const nothing = { LoginName: '', Email: '', Greet: '', Real: '', SendWelcome: true, ProjectAssign: [] as number[] }

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCallMutation(createUser)
  const projects = useQuery(callQuery(getProjectList, { GetAll: 1 }))
  const { register, handleSubmit, formState, control, setError } = useForm({ defaultValues: nothing })
  const { errors, isDirty } = formState
  const hasEmail = useWatch({ control, name: 'Email' }).trim() !== ''
  const submit = handleSubmit(({ LoginName, Email, Greet, Real, SendWelcome, ProjectAssign }) => {
    const login = LoginName.trim()
    create.mutate(
      {
        LoginName: login,
        Email: Email.trim(),
        ...(Greet.trim() && { Greet: Greet.trim() }),
        ...(Real.trim() && { Real: Real.trim() }),
        SendWelcome: SendWelcome ? 1 : 0,
        ProjectAssign,
      },
      whenAnswered(onClose, {
        done: messages.userCreated(login),
        failed: messages.userCreationFailed,
        onTaken: message => setError('LoginName', { message }, { shouldFocus: true }),
      }),
    )
  })
  return (
    <FormDialog
      title="New User"
      submitLabel="ADD"
      busy={create.isPending}
      isDirty={isDirty}
      error={formMessage(create.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Login Name"
        {...register('LoginName', { validate: newLoginRule })}
        problem={errors.LoginName?.message}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label="Email Address"
        type="email"
        {...register('Email', { validate: value => (value.trim() === '' ? 'Enter an email address' : emailRule(value)) })}
        problem={errors.Email?.message}
        autoComplete="off"
      />
      <TextField
        label="Greeting Name"
        {...register('Greet', { validate: lengthRule(limits.personName) })}
        problem={errors.Greet?.message}
      />
      <TextField label="Full Name" {...register('Real', { validate: lengthRule(limits.personName) })} problem={errors.Real?.message} />
      <Controller
        control={control}
        name="SendWelcome"
        render={({ field }) => (
          <LabelledCheckBox
            label={hasEmail ? 'Send a welcome mail' : 'Send a welcome mail (needs an address)'}
            disabled={!hasEmail}
            checked={hasEmail && field.value}
            onChange={event => field.onChange(event.target.checked)}
          />
        )}
      />
      <LoadProblem of={[projects]} />
      <Controller
        control={control}
        name="ProjectAssign"
        render={({ field }) => (
          <MultiSelectField
            label="Project Assignment"
            options={(projects.data ?? []).map(({ idProject, Title }) => ({ id: idProject, text: Title }))}
            loading={projects.isPending}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  )
}
