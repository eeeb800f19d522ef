import { purgeTicket, restoreTicket } from '@tessera/contract/tickets/moving'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { DeleteIcon, RestoreIcon } from '../../../components/icons/icons.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'

interface TrashedTicketActionsProps {
  idTicket: number
  code: string
  /** The number of tickets deleted with it, itself included, if known. */
  tickets?: number
  onPurged?: () => void
}

/** RESTORE and DELETE FOREVER of a ticket in the trash. */
export function TrashedTicketActions({ idTicket, code, tickets, onPurged }: TrashedTicketActionsProps) {
  const [isAsking, ask] = useState(false)
  const restore = useCallMutation(restoreTicket)
  const purge = useCallMutation(purgeTicket)
  const isBusy = restore.isPending || purge.isPending
  const onError = (problem: Error) => notify.failure(problem)
  const below = tickets === undefined ? 'everything below it' : `${counted(tickets - 1, 'ticket')} below it`
  return (
    <>
      <Button
        aria-label={`RESTORE ${code}`}
        disabled={isBusy}
        onClick={() => restore.mutate({ idTicket }, { onSuccess: () => notify.success(`Ticket ${code} restored`), onError })}
      >
        <RestoreIcon fontSize="small" />
        RESTORE
      </Button>
      <Button aria-label={`DELETE FOREVER ${code}`} danger disabled={isBusy} onClick={() => ask(true)}>
        <DeleteIcon fontSize="small" />
        DELETE FOREVER
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Delete ${code} forever?`}
        confirmLabel="DELETE FOREVER"
        busy={purge.isPending}
        onClose={() => ask(false)}
        onConfirm={() =>
          purge.mutate(
            { idTicket },
            {
              onSuccess: ({ Tickets }) => {
                ask(false)
                notify.success(Tickets === 1 ? `Ticket ${code} deleted` : `${counted(Tickets, 'ticket')} deleted`)
                onPurged?.()
              },
              onError,
            },
          )
        }
      >
        The ticket{tickets === 1 ? '' : ` and ${below}`} will be gone with comments and attachments. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
