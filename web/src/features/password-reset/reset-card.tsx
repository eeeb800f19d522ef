import type { ReactNode } from 'react'
import { Card } from '../../components/card/card.tsx'
import { Spinner } from '../../components/spinner/spinner.tsx'
import { EntryPage } from '../session/entry/entry-page.tsx'
import styles from './reset-card.module.css'

interface ResetCardProps {
  title: string
  /** Covers the card while it is sent. */
  busy?: boolean
  children: ReactNode
}

/** The frame of the pages to which mails lead, and of those about a forgotten password. */
export function ResetCard({ title, busy = false, children }: ResetCardProps) {
  return (
    <EntryPage title={title}>
      <Card className={styles.card}>
        <div inert={busy} className={styles.content}>
          {children}
        </div>
        {busy && (
          <div role="status" aria-label="Processing" className={styles.cover}>
            <Spinner />
          </div>
        )}
      </Card>
    </EntryPage>
  )
}
