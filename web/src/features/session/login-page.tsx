import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { authenticate } from '@tessera/contract/session'
import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Link as RouterLink, useNavigate } from 'react-router'
import { BrandMark } from '../../components/brand-mark.tsx'
import { lazy } from '../../components/lazy.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { post } from '../../lib/api.ts'
import { askForOrganization, currentSession, enterSession, landingPath, useSession } from '../../lib/session.tsx'
import { loginProblem } from './login-problem.ts'
import { PageContent } from './page-content.tsx'

const OrganizationSelect = lazy(async () => ({ default: (await import('./organization-select.tsx')).OrganizationSelect }))

export function LoginPage() {
  const { organizations } = useSession()
  const { register, handleSubmit, getValues, resetField, setFocus, formState } = useForm({ defaultValues: { user: '', pass: '' } })
  const { errors, isSubmitting } = formState
  const [chosen, choose] = useState<number>()
  const [error, setError] = useState<string>()
  const queries = useQueryClient()
  const navigate = useNavigate()
  // The choice belongs to the password typed here; without it there is nothing to continue.
  const isChoosing = organizations.length > 0 && getValues('pass') !== ''
  const idOrganization = chosen ?? organizations[0]?.id

  const signIn = handleSubmit(async ({ user, pass }) => {
    setError(undefined)
    try {
      const answer = await post(authenticate, {
        user: user.trim(),
        pass,
        ...(isChoosing && idOrganization ? { orgid: idOrganization } : {}),
      })
      if (answer.auth === 1) {
        queries.clear()
        enterSession(answer)
        return void navigate(landingPath(currentSession()))
      }
      if ('orglist' in answer && answer.orglist.length > 0) return askForOrganization(answer.orglist)
      setError(messages.loginRefused)
    } catch (problem) {
      setError(loginProblem(problem))
    }
    askForOrganization([])
    resetField('pass')
    setFocus('pass')
  })

  const goBack = () => {
    flushSync(() => askForOrganization([]))
    setFocus('user')
  }

  return (
    <PageContent maxWidth={440} sx={{ pt: { xs: 4, sm: '12vh' } }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1.5, mb: 3 }}>
        <BrandMark size={44} />
        <Typography variant="h1">Sign in to Tessera</Typography>
      </Box>
      <Card component="form" noValidate onSubmit={signIn} sx={{ display: 'grid', gap: 2, p: 3 }}>
        {error && (
          <Alert severity="error" sx={{ whiteSpace: 'pre-line' }}>
            {error}
          </Alert>
        )}
        <Box sx={{ display: isChoosing ? 'none' : 'grid', gap: 2 }}>
          <TextField
            label="Login name"
            autoComplete="username"
            autoFocus
            {...register('user', { validate: value => value.trim() !== '' || 'Enter your login name' })}
            error={Boolean(errors.user)}
            helperText={errors.user?.message}
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            {...register('pass', { validate: value => value !== '' || 'Enter your password' })}
            error={Boolean(errors.pass)}
            helperText={errors.pass?.message}
          />
          <Button type="submit" variant="contained" disabled={isSubmitting} aria-busy={isSubmitting} sx={{ minHeight: 36 }}>
            LOGIN
          </Button>
        </Box>
        {isChoosing && (
          <>
            <Suspense fallback={<Skeleton height={62} />}>
              <OrganizationSelect organizations={organizations} value={idOrganization} onChange={choose} />
            </Suspense>
            <Button type="submit" variant="contained" disabled={isSubmitting} aria-busy={isSubmitting} sx={{ minHeight: 36 }}>
              CONTINUE
            </Button>
            <Button onClick={goBack} sx={{ minHeight: 36 }}>
              BACK
            </Button>
          </>
        )}
        <Link component={RouterLink} to="/reset-password" variant="body2" sx={{ justifySelf: 'center' }}>
          Forgot password
        </Link>
      </Card>
    </PageContent>
  )
}
