import type { Response } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import type { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { counted } from '../../../lib/display/format.ts'
import { whyFinal } from '../changes/change-set.ts'
import type { Ticket } from '../ticket.ts'
import styles from './change-set-note.module.css'

const RevertDialog = lazy(async () => (await import('../changes/revert-dialog.tsx')).RevertDialog)

type Change = Response<typeof getTicketHistory>['Changes'][number]
type ListedSet = NonNullable<Change['Set']>

const alone: Record<ListedSet['What'], string> = {
  bulk: 'By a bulk change',
  import: 'Imported',
  restore: 'Restored',
  revert: 'Reverted an earlier change',
}
const together: Record<ListedSet['What'], string> = {
  bulk: 'With',
  import: 'Imported with',
  restore: 'Restored with',
  revert: 'Reverted an earlier change, with',
}

interface ChangeSetNoteProps {
  change: Change
  ticket: Ticket
}

/** Below the changes of one save: how many other tickets it changed, and the action that reverts them all. Nothing for a save of this ticket alone. */
export function ChangeSetNote({ change: { idChangeSet, Set: set }, ticket }: ChangeSetNoteProps) {
  const [isReverting, revert] = useState(false)
  // What was restored is a label, a state or the like, and with it this value; the ticket itself was never in the trash.
  const isOfPart = set?.OfTickets === 0
  if (!set || (isOfPart && set.Tickets <= 1)) return null
  const What = isOfPart ? 'bulk' : set.What
  const words = set.Tickets > 1 ? `${together[What]} ${counted(set.Tickets - 1, 'other ticket')}` : alone[What]
  return (
    <div className={styles.note}>
      <span>
        {words}
        {set.Reverted === 1 && ', reverted'}
      </span>
      {whyFinal(set) === undefined && (
        <PermissionGate idProject={ticket.idProject} needs={permission.viewTickets} held={ticket.Permissions} reason={set.Refused}>
          {refused => (
            <Button
              variant="text"
              aria-label={`REVERT… the change of ${counted(set.Tickets, 'ticket')}`}
              disabled={refused}
              onClick={() => revert(true)}
              className={styles.revert}
            >
              REVERT…
            </Button>
          )}
        </PermissionGate>
      )}
      {isReverting && (
        <RevertDialog idProject={ticket.idProject} set={{ idChangeSet, ...set }} pcode={ticket.pcode} onClose={() => revert(false)} />
      )}
    </div>
  )
}
