import type { ReactNode } from 'react'
import { Card } from '../../components/card/card.tsx'
import { Spinner } from '../../components/spinner/spinner.tsx'
import { EntryPage } from '../session/entry/entry-page.tsx'
import styles from './reset-card.module.css'

interface ResetCardProps {
  title: string
  /** Covers the card while it is sent. What has the focus keeps it. */
  busy?: boolean
  /** What was achieved, for everybody to read and for screen readers to announce. */
  done?: string | undefined
  children: ReactNode
}

/** The frame of the pages to which mails lead, and of those about a forgotten password. */
export function ResetCard({ title, busy = false, done, children }: ResetCardProps) {
  return (
    <EntryPage title={title}>
      <Card className={styles.card}>
        <div aria-busy={busy} className={styles.content}>
          {/* Always there: what is announced is what changes in it. */}
          <div role="status" className={styles.done}>
            {done}
          </div>
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
