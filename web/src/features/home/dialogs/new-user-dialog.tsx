import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { createUser } from '@tessera/contract/people/users'
import { getProjectList } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { MultiSelectField } from '../../../components/autocomplete/multi-select-field.tsx'
import { LabeledCheckBox } from '../../../components/check-box/check-box.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Switch } from '../../../components/switch/switch.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { emailRule, lengthRule, newLoginRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import styles from './new-user-dialog.module.css'

const nothing = { LoginName: '', Email: '', Greet: '', Real: '', SendWelcome: true, ProjectAssign: [] as number[] }

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCallMutation(createUser)
  const projects = useQuery(callQuery(getProjectList, { GetAll: 1 }))
  const { register, handleSubmit, formState, control, setError, setFocus, getValues, setValue, reset } = useForm({ defaultValues: nothing })
  const [staysOpen, setStaysOpen] = useState(false)
  const [added, setAdded] = useState<string[]>([])
  const { errors, isDirty } = formState
  const hasEmail = useWatch({ control, name: 'Email' }).trim() !== ''
  /** Projects and welcome mail stay as chosen: people who are added together usually have them in common. */
  const next = (sent: typeof nothing) => {
    // Before the reset, which forgets the fields until they are drawn again.
    setFocus('LoginName')
    const now = getValues()
    reset({ ...now, LoginName: '', Email: '', Greet: '', Real: '' })
    // What was typed meanwhile stays.
    for (const name of ['LoginName', 'Email', 'Greet', 'Real'] as const)
      if (now[name] !== sent[name]) setValue(name, now[name], { shouldDirty: true })
    setAdded(before => [...before, sent.LoginName.trim()])
  }
  const submit = handleSubmit(person => {
    const { LoginName, Email, Greet, Real, SendWelcome, ProjectAssign } = person
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
      whenAnswered(staysOpen ? () => next(person) : onClose, {
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
      cancelLabel={added.length > 0 ? 'CLOSE' : 'CANCEL'}
    >
      {added.length > 0 && <p className={styles.added}>Added: {added.join(', ')}</p>}
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
        helperText="Optional"
      />
      <TextField
        label="Full Name"
        {...register('Real', { validate: lengthRule(limits.personName) })}
        problem={errors.Real?.message}
        helperText="Optional"
      />
      <Controller
        control={control}
        name="SendWelcome"
        render={({ field }) => (
          <LabeledCheckBox
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
      <Switch label="Keep open for the next person" checked={staysOpen} onChange={setStaysOpen} />
    </FormDialog>
  )
}
