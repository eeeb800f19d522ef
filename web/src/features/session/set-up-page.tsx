import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { emailPattern } from '@tessera/contract/scalars'
import { getClientConfig, setUp } from '@tessera/contract/session'
import { useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { BrandMark } from '../../components/brand-mark.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { PageContent } from './page-content.tsx'

const isEmail = new RegExp(emailPattern)

/** First run: whoever holds the one-time address makes the first super user and their organization. */
export function SetUpPage() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const minLength = useQuery(callQuery(getClientConfig, {})).data?.limits.passwordMinLength ?? 8
  const create = useCallMutation(setUp)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { LoginName: '', Password: '', Email: '', Organization: '' } })
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
      },
    ),
  )
  const problem = (name: keyof typeof errors) => ({ error: Boolean(errors[name]), helperText: errors[name]?.message })

  return (
    <PageContent maxWidth={480} sx={{ pt: { xs: 4, sm: '8vh' } }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1.5, mb: 3, textAlign: 'center' }}>
        <BrandMark size={44} />
        <Typography variant="h1">Set up Tessera</Typography>
        <Typography sx={{ color: 'text.secondary' }}>
          Make the first account and the first organization. This address works once.
        </Typography>
      </Box>
      <Card component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2, p: 3 }}>
        {create.error && <Alert severity="error">{create.error.message}</Alert>}
        <TextField
          label="Login name"
          autoComplete="username"
          {...register('LoginName', {
            validate: value => /^\S{1,100}$/.test(value.trim()) || 'Enter a login name without blanks, at most 100 characters',
          })}
          {...problem('LoginName')}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          {...register('Password', { validate: value => value.length >= minLength || `Use at least ${minLength} characters` })}
          {...problem('Password')}
        />
        <TextField
          label="Email Address (optional)"
          type="email"
          autoComplete="email"
          {...register('Email', { validate: value => value.trim() === '' || isEmail.test(value.trim()) || 'Enter a valid email address' })}
          {...problem('Email')}
        />
        <TextField
          label="Organization"
          autoComplete="organization"
          {...register('Organization', { validate: value => value.trim() !== '' || 'Enter the name of your organization' })}
          {...problem('Organization')}
        />
        <Button type="submit" variant="contained" disabled={create.isPending} aria-busy={create.isPending} sx={{ minHeight: 36 }}>
          CREATE
        </Button>
      </Card>
    </PageContent>
  )
}
