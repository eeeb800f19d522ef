import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { resetPassword } from '@tessera/contract/password-reset'
import { useState } from 'react'
import { Link } from 'react-router'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster.tsx'
import { useCallMutation } from '../../lib/api.ts'
import { asButton } from '../../lib/as-button.ts'
import { Captcha } from './captcha.tsx'
import { ResetCard } from './reset-card.tsx'

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
        onError: () => {
          notify.error(messages.resetRequestFailed)
          // An answer counts once, also when the request failed.
          setAnswer('')
          setAttempt(attempt + 1)
        },
      },
    )
  if (request.isSuccess) {
    return (
      <ResetCard title="Reset password">
        <Box role="status">Your request was submitted. If the account is found, an email with further instructions follows.</Box>
        <Box sx={{ color: 'text.secondary', fontSize: 13 }}>Open the link in it within 15 minutes, in this browser on this device.</Box>
        <Button component={Link} to="/login" {...asButton} variant="contained" autoFocus sx={{ minHeight: 36 }}>
          RETURN
        </Button>
      </ResetCard>
    )
  }
  return (
    <ResetCard title="Reset password" busy={request.isPending}>
      <Box
        component="form"
        noValidate
        sx={{ display: 'grid', gap: 2 }}
        onSubmit={event => {
          event.preventDefault()
          if (isReady) submit()
        }}
      >
        <Box>Give your login name or the email address of your account. We send a link to that account to choose a new password.</Box>
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
        <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
          <Button component={Link} to="/login" {...asButton} sx={{ minHeight: 36 }}>
            CANCEL
          </Button>
          <Button type="submit" variant="contained" disabled={!isReady} sx={{ minHeight: 36 }}>
            RESET
          </Button>
        </Box>
      </Box>
    </ResetCard>
  )
}
