import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { asButton } from '../../lib/as-button.ts'
import { ResetCard } from './reset-card.tsx'

interface LinkPageProps {
  title: string
  /** Of the button. Opening a link must do nothing by itself: mail scanners open links. */
  label: string
  done: string
  sending: { isPending: boolean; isSuccess: boolean; error: Error | null }
  onSubmit: () => void
  children: ReactNode
}

/** Where the link of a mail leads: says what it does, and does it when the button is pressed. Works signed in or not. */
export function LinkPage({ title, label, done, sending, onSubmit, children }: LinkPageProps) {
  return (
    <ResetCard title={title} busy={sending.isPending}>
      {sending.isSuccess ? (
        <>
          <Box role="status">{done}</Box>
          <Button component={Link} to="/home" {...asButton} variant="contained" autoFocus sx={{ minHeight: 36 }}>
            CONTINUE
          </Button>
        </>
      ) : (
        <>
          {sending.error && <Alert severity="error">{sending.error.message}</Alert>}
          <Box>{children}</Box>
          <Button variant="contained" onClick={onSubmit} sx={{ minHeight: 36 }}>
            {label}
          </Button>
        </>
      )}
    </ResetCard>
  )
}
