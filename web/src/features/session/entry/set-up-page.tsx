import { useQuery } from '@tanstack/react-query'
import { getClientConfig, setUp } from '@tessera/contract/people/session'
import { useForm } from 'react-hook-form'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button, ButtonLink } from '../../../components/button/button.tsx'
import { cardClass } from '../../../components/card/card.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { emailRule, nameRule, newLoginRule, passwordRule } from '../../../lib/forms/field-rules.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { useParams } from '../../../lib/navigation/use-navigation.ts'
import styles from './entry-form.module.css'
import { EntryPage } from './entry-page.tsx'

const empty = { LoginName: '', Password: '', Email: '', Organization: '' }
const isField = (path: string): path is keyof typeof empty => path in empty

/** First run: the holder of the one-time address creates the first super user and their organization. */
export function SetUpPage() {
  const { token = '' } = useParams()
  const config = useQuery(callQuery(getClientConfig, {}))
  const minLength = config.data?.limits.passwordMinLength ?? 8
  const create = useCallMutation(setUp)
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: empty })
  const { errors } = formState

  const submit = handleSubmit(({ LoginName, Password, Email, Organization }) =>
    create.mutate(
      {
        Token: token,
        LoginName: LoginName.trim(),
        Password,
        Organization: Organization.trim(),
        ...(Email.trim() ? { Email: Email.trim() } : {}),
      },
      {
        onSuccess: () => {
          notify.success('Tessera is ready, you can sign in now')
          void navigate('/login')
        },
        onError: ({ fields }) => {
          for (const { path, message } of fields) if (isField(path)) setError(path, { message }, { shouldFocus: true })
        },
      },
    ),
  )

  if (config.isPending) return null
  if (config.data?.setUpNeeded === false) {
    return (
      <EntryPage title="Set up Tessera">
        <div className={classNames(cardClass, styles.form)}>
          <Alert severity="info">Tessera is already set up. This address no longer works.</Alert>
          <ButtonLink variant="contained" to="/login" className={styles.button}>
            LOGIN
          </ButtonLink>
        </div>
      </EntryPage>
    )
  }
  return (
    <EntryPage title="Set up Tessera" note="Create the first account and the first organization. This address works once.">
      <form noValidate onSubmit={submit} className={classNames(cardClass, styles.form)}>
        {create.error && !create.error.fields.some(({ path }) => isField(path)) && <Alert severity="error">{create.error.message}</Alert>}
        <TextField
          label="Login name"
          autoComplete="username"
          autoFocus
          {...register('LoginName', { validate: newLoginRule })}
          problem={errors.LoginName?.message}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          {...register('Password', { validate: passwordRule(minLength) })}
          problem={errors.Password?.message}
          helperText={`At least ${minLength} characters`}
        />
        <TextField
          label="Email Address (optional)"
          type="email"
          autoComplete="email"
          {...register('Email', { validate: emailRule })}
          problem={errors.Email?.message}
        />
        <TextField
          label="Organization"
          autoComplete="organization"
          {...register('Organization', { validate: nameRule('the name of your organization') })}
          problem={errors.Organization?.message}
        />
        <Button type="submit" variant="contained" disabled={create.isPending} aria-busy={create.isPending} className={styles.button}>
          CREATE
        </Button>
      </form>
    </EntryPage>
  )
}
