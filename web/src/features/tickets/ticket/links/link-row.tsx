import type { Response } from '@tessera/contract/call'
import { type getTicketLinks, type LinkKind, removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../components/confirm-dialog/confirm-dialog.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Link } from '../../../../components/link/link.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { kindWords } from './kind-words.ts'
import styles from './links-card.module.css'

export type TicketLink = Response<typeof getTicketLinks>[number] & { idLink: number; Kind: LinkKind }

const unseen = 'a ticket you cannot see'

/** Another ticket, as the card shows it. */
export function LinkedTicket({ ticket: { id, pcode, Title, State, Phase, Trashed } }: { ticket: NonNullable<TicketLink['Ticket']> }) {
  return (
    <>
      <PhaseMark phase={Phase} />
      <Link to={`/view-ticket/${id}`} className={styles.code}>
        {pcode}-{id}
      </Link>
      <span className={styles.title}>{Title}</span>
      <span className={styles.state} title={State}>
        {Trashed ? 'In the trash' : State}
      </span>
    </>
  )
}

/** One link: the ticket at its other end, and the button that removes it. */
export function LinkRow({ idTicket, link, mayEdit }: { idTicket: number; link: TicketLink; mayEdit: boolean }) {
  const { idLink, Kind, Ticket } = link
  const remove = useCallMutation(removeTicketLink)
  const restore = useCallMutation(setTicketLink)
  const [isAsking, ask] = useState(false)
  const code = Ticket ? `${Ticket.pcode}-${Ticket.id}` : unseen
  const confirm = () =>
    remove.mutate(
      { idLink },
      {
        onSuccess: () =>
          notify.success(
            'The link was removed',
            Ticket ? undo(() => restore.mutateAsync({ idTicket, idOther: Ticket.id, Kind }).then(() => 'The link is back')) : undefined,
          ),
        onError: problem => notify.failure(problem),
        onSettled: () => ask(false),
      },
    )
  return (
    <li className={styles.row}>
      {Ticket ? <LinkedTicket ticket={Ticket} /> : <span className={styles.unseen}>{unseen}</span>}
      {mayEdit && (
        <Tooltip title="Remove link">
          <IconButton
            small
            aria-label={`Remove link: ${kindWords[Kind]} ${code}`}
            disabled={remove.isPending}
            // No UNDO for people who do not see the other end: they could not create the link again.
            onClick={Ticket ? confirm : () => ask(true)}
          >
            <CloseIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Remove this link?"
        confirmLabel="REMOVE"
        busy={remove.isPending}
        onClose={() => ask(false)}
        onConfirm={confirm}
      >
        You cannot see the other ticket, so you could not create the link again.
      </ConfirmDialog>
    </li>
  )
}
