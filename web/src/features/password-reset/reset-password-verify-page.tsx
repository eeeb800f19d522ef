import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { resetPasswordActivate } from '@tessera/contract/people/password-reset'
import { getClientConfig } from '@tessera/contract/people/session'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../components/alert/alert.tsx'
import { Button, ButtonLink } from '../../components/button/button.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { passwordRule } from '../../lib/forms/field-rules.ts'
import { asButton } from '../../lib/input/as-button.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import { useLocation, useParams } from '../../lib/navigation/use-navigation.ts'
import styles from '../session/entry/entry-form.module.css'
import type { LoginHint } from '../session/entry/login-page.tsx'
import { Captcha } from './captcha.tsx'
import { ResetCard } from './reset-card.tsx'
import own from './reset-password.module.css'

/** Replaces the code in the address. */
const taken = 'opened'
const retryable: readonly string[] = ['captcha', 'throttled', 'invalid', 'csrf', 'network', 'unavailable']

export function ResetPasswordVerifyPage() {
  const { code = '' } = useParams()
  // The captcha is another company's script: it loads only after the code has been removed from the address.
  const [verifycode] = useState(code)
  // A welcome mail's link contains the login.
  const { hash } = useLocation()
  const [login] = useState(() => loginIn(hash))
  useEffect(() => {
    if (code !== taken) void navigate(`/reset-password-verify/${taken}`, { replace: true })
  }, [code])
  if (verifycode === taken) return <Problem />
  return code === taken ? (
    <Activation verifycode={verifycode} login={login} />
  ) : (
    <ResetCard title="Welcome to Tessera" busy children={<div className={own.waiting} />} />
  )
}

function loginIn(hash: string) {
  try {
    return decodeURIComponent(hash.slice(1)).slice(0, limits.login)
  } catch {
    return ''
  }
}

function LoginButton({ primary = false, login }: { primary?: boolean; login?: string }) {
  return (
    <ButtonLink
      to="/login"
      {...(login ? { state: { login } satisfies LoginHint } : {})}
      {...asButton}
      variant={primary ? 'contained' : 'outlined'}
      autoFocus={primary}
      className={styles.button}
    >
      LOGIN
    </ButtonLink>
  )
}

function Problem({ login = '' }: { login?: string }) {
  const support = useQuery(callQuery(getClientConfig, {})).data?.support ?? 'your administrator'
  return (
    <ResetCard title="Reset password">
      <div role="alert" className={own.problem}>
        <div className={own.title}>There was a problem setting your password.</div>
        <div>
          {login === ''
            ? 'A reset code is only valid for 15 minutes and must be activated from the same device that made the request.'
            : 'The link of a welcome mail works once, within 72 hours.'}{' '}
          Request a new one, or contact <Support contact={support} />.
        </div>
      </div>
      <LoginButton primary login={login} />
      <ButtonLink to="/reset-password" {...asButton} className={styles.button}>
        REQUEST A NEW CODE
      </ButtonLink>
    </ResetCard>
  )
}

function Support({ contact }: { contact: string }) {
  if (/^https?:\/\//.test(contact)) return <a href={contact}>{contact}</a>
  return /^\S+@\S+$/.test(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : contact
}

function Activation({ verifycode, login }: { verifycode: string; login: string }) {
  const minLength = useQuery(callQuery(getClientConfig, {})).data?.limits.passwordMinLength
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [answer, setAnswer] = useState('')
  const [attempt, setAttempt] = useState(0)
  const activate = useCallMutation(resetPasswordActivate)
  const isDifferent = repeat !== '' && password !== repeat
  const isReady = password !== '' && password === repeat && answer !== '' && !activate.isPending
  const [tooShort, setTooShort] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  // After any other failure, which the person cannot correct here, the code is void.
  const isPassword = activate.error?.fields.some(({ path }) => path === 'password') ?? false
  const isFinal = activate.error !== null && !isPassword && !retryable.includes(activate.error.code)

  if (activate.isSuccess) {
    return (
      <ResetCard title="Reset password" done={messages.resetDone}>
        <LoginButton primary login={login} />
      </ResetCard>
    )
  }
  if (isFinal) return <Problem login={login} />
  return (
    <ResetCard title="Welcome to Tessera" busy={activate.isPending}>
      <form
        noValidate
        className={styles.fields}
        onSubmit={event => {
          event.preventDefault()
          if (!isReady) return
          const isShort = passwordRule(minLength ?? 0)(password) !== undefined
          setTooShort(isShort)
          if (isShort) return first.current?.focus()
          activate.mutate(
            { password, captcha: answer, verifycode },
            {
              onError: () => {
                setAnswer('')
                setAttempt(attempt + 1)
              },
            },
          )
        }}
      >
        <div>
          {login === '' ? (
            'Welcome! '
          ) : (
            <>
              Welcome, <strong>{login}</strong>!{' '}
            </>
          )}
          Choose the password you want to sign in with from now on.
        </div>
        {login !== '' && <input type="text" hidden readOnly autoComplete="username" value={login} />}
        {activate.error && <Alert severity="error">{activate.error.message}</Alert>}
        <TextField
          ref={first}
          label="Enter a new password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={event => {
            setPassword(event.target.value)
            setTooShort(false)
          }}
          problem={tooShort}
          helperText={minLength !== undefined && `At least ${minLength} characters`}
        />
        <TextField
          label="Repeat your password"
          type="password"
          autoComplete="new-password"
          value={repeat}
          onChange={event => setRepeat(event.target.value)}
          problem={isDifferent && 'Does not match the new password'}
        />
        <Captcha key={attempt} onChange={setAnswer} />
        <div className={own.wideAndNarrow}>
          <Button type="submit" variant="contained" disabled={!isReady} className={styles.button}>
            CHANGE PASSWORD
          </Button>
          <LoginButton />
        </div>
      </form>
    </ResetCard>
  )
}
