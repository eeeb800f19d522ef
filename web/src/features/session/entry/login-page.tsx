import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { authenticate, getClientConfig } from '@tessera/contract/people/session'
import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { cardClass } from '../../../components/card/card.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Link } from '../../../components/link/link.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { callQuery, post } from '../../../lib/calls/api.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { useLocation } from '../../../lib/navigation/use-navigation.ts'
import { askForOrganization, currentSession, enterSession, landingPath, useSession } from '../../../lib/session/session.tsx'
import { takeWayBack } from '../../../lib/session/way-back.ts'
import styles from './entry-form.module.css'
import { EntryPage } from './entry-page.tsx'
import { loginProblem } from './login-problem.ts'

const OrganizationSelect = lazy(async () => (await import('./organization-select.tsx')).OrganizationSelect)

/** The navigation state that a page passes when it leads here. */
export interface LoginHint {
  /** The person who is signing in. */
  login?: string
}

export function LoginPage() {
  const { login = '' } = (useLocation().state ?? {}) as LoginHint
  const { organizations } = useSession()
  const { register, handleSubmit, getValues, setFocus, formState } = useForm({ defaultValues: { user: login, pass: '' } })
  const { errors, isSubmitting } = formState
  const [chosen, choose] = useState<number>()
  const [error, setError] = useState<string>()
  const queries = useQueryClient()
  const config = useQuery(callQuery(getClientConfig, {}))
  // Not from before the set-up, which leads here.
  const isSetUpNeeded = config.data?.setUpNeeded === true && !config.isFetching
  // The choice of organization needs the password typed here; without it, start over.
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
        return void navigate(takeWayBack() ?? landingPath(currentSession()))
      }
      if ('orglist' in answer && answer.orglist.length > 0) return askForOrganization(answer.orglist)
      setError(messages.loginRefused)
    } catch (problem) {
      setError(loginProblem(problem))
    }
    flushSync(() => askForOrganization([]))
    setFocus('pass', { shouldSelect: true })
  })

  const goBack = () => {
    flushSync(() => askForOrganization([]))
    setFocus('user')
  }

  return (
    <EntryPage title="Sign in to Tessera">
      <form noValidate onSubmit={signIn} className={classNames(cardClass, styles.form)}>
        {isSetUpNeeded && (
          <Alert severity="info">
            Nobody can sign in yet: Tessera is not set up. Open the set-up address that the server printed when it started. It is also in
            the server’s log.
          </Alert>
        )}
        {error && (
          <Alert severity="error" className={styles.error}>
            {error}
          </Alert>
        )}
        <div hidden={isChoosing} className={styles.fields}>
          <TextField
            label="Login name"
            autoComplete="username"
            autoFocus={login === ''}
            {...register('user', { validate: value => value.trim() !== '' || 'Enter your login name' })}
            problem={errors.user?.message}
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            autoFocus={login !== ''}
            {...register('pass', { validate: value => value !== '' || 'Enter your password' })}
            problem={errors.pass?.message}
          />
          <Button type="submit" variant="contained" disabled={isSubmitting} aria-busy={isSubmitting} className={styles.button}>
            LOGIN
          </Button>
        </div>
        {isChoosing && (
          // CONTINUE waits for the choice: nobody continues into an organization that is not shown yet.
          <Suspense fallback={<Skeleton className={styles.choice} />}>
            <OrganizationSelect organizations={organizations} value={idOrganization} onChange={choose} />
            <Button type="submit" variant="contained" disabled={isSubmitting} aria-busy={isSubmitting} className={styles.button}>
              CONTINUE
            </Button>
            <Button onClick={goBack} className={styles.button}>
              BACK
            </Button>
          </Suspense>
        )}
        <Link to="/reset-password" className={styles.link}>
          Forgot password
        </Link>
      </form>
    </EntryPage>
  )
}
