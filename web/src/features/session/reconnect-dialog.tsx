import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { authenticate, logout, type SignedIn } from '@tessera/contract/people/session'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { ConfirmDialog } from '../../components/confirm-dialog/confirm-dialog.tsx'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { post } from '../../lib/calls/api.ts'
import { hasUnsaved } from '../../lib/forms/unsaved.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import { useLocation } from '../../lib/navigation/use-navigation.ts'
import { closeReconnect, currentSession, enterSession, landingPath } from '../../lib/session/session.tsx'
import { takeWayBack } from '../../lib/session/way-back.ts'
import { loginProblem } from './entry/login-problem.ts'

function isSamePerson({ idUser, orgid }: SignedIn) {
  const before = currentSession()
  return idUser === before.idUser && orgid === before.idOrganization
}

/** Opens on any page when the session has ended; the page behind it keeps everything that was typed. */
export function ReconnectDialog() {
  const { register, handleSubmit, reset, setFocus, formState } = useForm({ defaultValues: { user: '', pass: '' } })
  const [error, setError] = useState<string>()
  const why = useId()
  /** Another person or organization has signed in: asks before unsaved changes are discarded. */
  const [other, ask] = useState<SignedIn>()
  const queries = useQueryClient()
  const isOnLogin = useLocation().pathname === '/login'

  const resume = (answer: SignedIn) => {
    const isSame = isSamePerson(answer)
    if (!isSame) queries.clear()
    // The previous person's pages are unmounted before the address changes, so none of them asks about its changes.
    flushSync(() => enterSession(answer))
    notify.success(messages.reconnected)
    if (isSame) {
      void queries.invalidateQueries()
      if (isOnLogin) void navigate(takeWayBack() ?? landingPath(currentSession()))
    } else {
      notify.info(`You are now signed in as ${answer.DisplayName} in ${answer.orgname}. The previous unsaved changes were discarded.`)
      void navigate('/home')
    }
  }

  const submit = handleSubmit(async ({ user, pass }) => {
    setError(undefined)
    notify.info(messages.reconnecting)
    const { idOrganization } = currentSession()
    try {
      const answer = await post(authenticate, { user: user.trim(), pass, ...(idOrganization ? { orgid: idOrganization } : {}) })
      if (answer.auth === 1) return hasUnsaved() && !isSamePerson(answer) ? ask(answer) : resume(answer)
      if ('orglist' in answer) {
        // The organization is gone: the login page asks which other one.
        closeReconnect('canceled')
        return void navigate('/login')
      }
      setError(messages.loginRefused)
    } catch (problem) {
      setError(loginProblem(problem))
    }
    setFocus('pass', { shouldSelect: true })
  })

  const goBack = async () => {
    ask(undefined)
    await post(logout, {}).catch(() => undefined)
    reset()
    setFocus('user')
  }

  if (other)
    return (
      <ConfirmDialog
        open
        title={`Continue as ${other.DisplayName} in ${other.orgname}?`}
        confirmLabel="DISCARD AND CONTINUE"
        cancelLabel="GO BACK"
        onConfirm={() => resume(other)}
        onClose={() => void goBack()}
      >
        What {currentSession().displayName} typed on this page is not saved and would be lost. Go back to sign in as{' '}
        {currentSession().displayName} and keep it.
      </ConfirmDialog>
    )
  return (
    <FormDialog
      title="Reconnect"
      submitLabel="LOGIN"
      busy={formState.isSubmitting}
      error={error}
      describedBy={why}
      onSubmit={submit}
      onClose={() => {
        closeReconnect('canceled')
        void navigate('/login')
      }}
      onDismiss={() => closeReconnect('later')}
    >
      <p id={why} style={{ color: 'var(--text-dim)' }}>
        {messages.sessionTimedOut}
      </p>
      <TextField
        label="Login name"
        autoComplete="username"
        {...register('user', { validate: value => value.trim() !== '' || 'Enter your login name' })}
        problem={formState.errors.user?.message}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        {...register('pass', { validate: value => value !== '' || 'Enter your password' })}
        problem={formState.errors.pass?.message}
      />
    </FormDialog>
  )
}
