import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { resetPassword } from '@tessera/contract/people/password-reset'
import { useState } from 'react'
import { Alert } from '../../components/alert/alert.tsx'
import { Button, ButtonLink } from '../../components/button/button.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { asButton } from '../../lib/input/as-button.ts'
import styles from '../session/entry/entry-form.module.css'
import { Captcha } from './captcha.tsx'
import { ResetCard } from './reset-card.tsx'
import own from './reset-password.module.css'

export function ResetPasswordPage() {
  const [name, setName] = useState('')
  const [answer, setAnswer] = useState('')
  const [attempt, setAttempt] = useState(0)
  const request = useCallMutation(resetPassword)
  const isReady = name.trim() !== '' && answer !== '' && !request.isPending
  const submit = () =>
    request.mutate(
      { AuthName: name.trim(), Captcha: answer },
      {
        onSuccess: () => notify.clear(messages.resetRequestFailed),
        onError: () => {
          notify.error(messages.resetRequestFailed)
          // A captcha answer can be used once, even if the request fails.
          setAnswer('')
          setAttempt(attempt + 1)
        },
      },
    )
  if (request.isSuccess) {
    return (
      <ResetCard
        title="Reset password"
        done="Your request was submitted. If the account is found, an email with further instructions follows."
      >
        <div className={own.note}>Open the link in it within 15 minutes, in this browser on this device.</div>
        <ButtonLink to="/login" {...asButton} variant="contained" autoFocus className={styles.button}>
          RETURN
        </ButtonLink>
      </ResetCard>
    )
  }
  return (
    <ResetCard title="Reset password" busy={request.isPending}>
      <form
        noValidate
        className={styles.fields}
        onSubmit={event => {
          event.preventDefault()
          if (isReady) submit()
        }}
      >
        <div>Enter your login name or the email address of your account. We will email you a link to choose a new password.</div>
        {request.error && <Alert severity="error">{request.error.message}</Alert>}
        <TextField
          label="Email address or username"
          autoComplete="username"
          value={name}
          onChange={event => setName(event.target.value)}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.email}
          required
        />
        <Captcha key={attempt} onChange={setAnswer} />
        <div className={own.halves}>
          <ButtonLink to="/login" {...asButton} className={styles.button}>
            CANCEL
          </ButtonLink>
          <Button type="submit" variant="contained" disabled={!isReady} className={styles.button}>
            RESET
          </Button>
        </div>
      </form>
    </ResetCard>
  )
}
