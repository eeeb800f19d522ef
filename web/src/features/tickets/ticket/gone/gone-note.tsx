import { useEffect } from 'react'
import { Alert } from '../../../../components/alert/alert.tsx'
import { focusHeading } from '../../../../lib/navigation/arrival.ts'
import type { Ticket } from '../../ticket.ts'
import type { useTicketDraft } from '../use-ticket-draft.ts'
import styles from './gone-note.module.css'
import { useGone } from './use-gone.ts'

/** Keeps the draft free of what somebody else has deleted, and says what was removed from it. */
export function GoneNote({ ticket, draft }: { ticket: Ticket; draft: ReturnType<typeof useTicketDraft> }) {
  const { sentences, dismiss } = useGone(ticket, draft)
  // A field may have been removed while somebody was typing in it.
  useEffect(() => {
    if (sentences.length > 0) focusHeading()
  }, [sentences])
  if (sentences.length === 0) return null
  return (
    <Alert severity="warning" className={styles.note} onClose={dismiss}>
      Somebody else changed the project. This is no longer among your changes:
      <ul className={styles.list}>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Alert>
  )
}
