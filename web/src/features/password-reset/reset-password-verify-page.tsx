import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { resetPasswordActivate } from '@tessera/contract/password-reset'
import { getClientConfig } from '@tessera/contract/session'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { TextField } from '../../components/text-field/text-field.tsx'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { asButton } from '../../lib/as-button.ts'
import { Captcha } from './captcha.tsx'
import { ResetCard } from './reset-card.tsx'

/** Stands in the address once the code was taken out of it. */
const taken = 'opened'
const mendable: readonly string[] = ['captcha', 'throttled', 'invalid', 'csrf', 'network', 'unavailable']

export function ResetPasswordVerifyPage() {
  const { code = '' } = useParams()
  const navigate = useNavigate()
  // The captcha is another company's script: it loads only when the code no longer stands in the address.
  const [verifycode] = useState(code)
  useEffect(() => {
    if (code !== taken) void navigate(`/reset-password-verify/${taken}`, { replace: true })
  }, [code, navigate])
  if (verifycode === taken) return <Problem />
  return code === taken ? (
    <Activation verifycode={verifycode} />
  ) : (
    <ResetCard title="Welcome to Tessera" busy children={<Box sx={{ height: 240 }} />} />
  )
}

function LoginButton({ primary = false }: { primary?: boolean }) {
  return (
    <Button
      component={Link}
      to="/login"
      {...asButton}
      variant={primary ? 'contained' : 'outlined'}
      autoFocus={primary}
      sx={{ minHeight: 36 }}
    >
      LOGIN
    </Button>
  )
}

function Problem() {
  const support = useQuery(callQuery(getClientConfig, {})).data?.support ?? 'your administrator'
  return (
    <ResetCard title="Reset password">
      <Box role="alert" sx={{ display: 'grid', gap: 1.5 }}>
        <Box sx={{ fontWeight: 600 }}>There was a problem setting your password.</Box>
        <Box>
          A reset code is only valid for 15 minutes and must be activated from the same device that made the request. Request a new one, or
          contact <Support contact={support} />.
        </Box>
      </Box>
      <LoginButton primary />
      <Button component={Link} to="/reset-password" {...asButton} sx={{ minHeight: 36 }}>
        REQUEST A NEW CODE
      </Button>
    </ResetCard>
  )
}

function Support({ contact }: { contact: string }) {
  if (/^https?:\/\//.test(contact)) return <a href={contact}>{contact}</a>
  return /^\S+@\S+$/.test(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : contact
}

function Activation({ verifycode }: { verifycode: string }) {
  const minLength = useQuery(callQuery(getClientConfig, {})).data?.limits.passwordMinLength
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [answer, setAnswer] = useState('')
  const [attempt, setAttempt] = useState(0)
  const activate = useCallMutation(resetPasswordActivate)
  const isDifferent = repeat !== '' && password !== repeat
  const isReady = password !== '' && password === repeat && answer !== '' && !activate.isPending
  const [tooShort, setTooShort] = useState(false)
  // The code itself is worth nothing after any failure but those that the person can mend here.
  const isPassword = activate.error?.fields.some(({ path }) => path === 'password') ?? false
  const isFinal = activate.error !== null && !isPassword && !mendable.includes(activate.error.code)

  if (activate.isSuccess) {
    return (
      <ResetCard title="Reset password">
        <Box role="status">{messages.resetDone}</Box>
        <LoginButton primary />
      </ResetCard>
    )
  }
  if (isFinal) return <Problem />
  return (
    <ResetCard title="Welcome to Tessera" busy={activate.isPending}>
      <Box
        component="form"
        noValidate
        sx={{ display: 'grid', gap: 2 }}
        onSubmit={event => {
          event.preventDefault()
          if (!isReady) return
          setTooShort(password.length < (minLength ?? 0))
          if (password.length < (minLength ?? 0)) return
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
        <Box>Welcome! Choose the password you want to sign in with from now on.</Box>
        {activate.error && <Alert severity="error">{activate.error.message}</Alert>}
        <TextField
          label="Enter a new password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={event => {
            setPassword(event.target.value)
            setTooShort(false)
          }}
          error={tooShort}
          helperText={minLength !== undefined && `At least ${minLength} characters`}
          maxLength={limits.password}
        />
        <TextField
          label="Repeat your password"
          type="password"
          autoComplete="new-password"
          value={repeat}
          onChange={event => setRepeat(event.target.value)}
          error={isDifferent}
          helperText={isDifferent && 'Not the same as the new password'}
          maxLength={limits.password}
        />
        <Captcha key={attempt} onChange={setAnswer} />
        <Box sx={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: 1 }}>
          <Button type="submit" variant="contained" disabled={!isReady} sx={{ minHeight: 36 }}>
            CHANGE PASSWORD
          </Button>
          <LoginButton />
        </Box>
      </Box>
    </ResetCard>
  )
}
