import type { ReactNode } from 'react'
import { Alert } from '../../components/alert/alert.tsx'
import { Button, ButtonLink } from '../../components/button/button.tsx'
import { asButton } from '../../lib/input/as-button.ts'
import styles from '../session/entry/entry-form.module.css'
import { ResetCard } from './reset-card.tsx'

interface LinkPageProps {
  title: string
  /** The label of the button. Opening the link must do nothing by itself, because mail scanners open links. */
  label: string
  done: string
  sending: { isPending: boolean; isSuccess: boolean; error: Error | null }
  onSubmit: () => void
  children: ReactNode
}

/** The page behind a mail's link: says what the link does, and does it when the button is pressed. Works signed in or not. */
export function LinkPage({ title, label, done, sending, onSubmit, children }: LinkPageProps) {
  return (
    <ResetCard title={title} busy={sending.isPending} done={sending.isSuccess ? done : undefined}>
      {sending.isSuccess ? (
        <ButtonLink to="/home" {...asButton} variant="contained" autoFocus className={styles.button}>
          CONTINUE
        </ButtonLink>
      ) : (
        <>
          {sending.error && <Alert severity="error">{sending.error.message}</Alert>}
          <div>{children}</div>
          <Button variant="contained" disabled={sending.isPending} onClick={onSubmit} className={styles.button}>
            {label}
          </Button>
        </>
      )}
    </ResetCard>
  )
}
