import { permission } from '@tessera/contract/permissions'
import { Suspense, useEffect } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { focusHeading } from '../../../lib/navigation/arrival.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import type { Ticket } from '../ticket.ts'
import styles from './ticket-detail.module.css'

const TrashedTicketActions = lazy(async () => (await import('../trash/trashed-ticket-actions.tsx')).TrashedTicketActions)

/** Says why the ticket takes no changes; one in the trash can be restored or deleted here. */
export function BlockedNote({ ticket, blocked, isGone }: { ticket: Ticket; blocked: string; isGone: boolean }) {
  const { idTicket, idProject, pcode } = ticket
  const hasActions = !isGone && ticket.Trashed === 1 && ticket.Permissions.includes(permission.deleteTickets)
  // When the note goes, its RESTORE may have had the focus.
  useEffect(() => focusHeading, [])
  return (
    <Alert
      severity="info"
      className={styles.alert}
      action={
        hasActions && (
          <div className={styles.trashed}>
            <Suspense>
              <TrashedTicketActions
                idTicket={idTicket}
                code={`${pcode}-${idTicket}`}
                onPurged={() => void navigate(`/view-project/${idProject}`)}
              />
            </Suspense>
          </div>
        )
      }
    >
      {blocked}.
    </Alert>
  )
}
