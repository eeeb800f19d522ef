import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import { restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ConfirmDialog } from '../../../../components/confirm-dialog/confirm-dialog.tsx'
import { DeleteIcon, LinkIcon, MoveIcon } from '../../../../components/icons/icons.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { MoreMenu } from '../../../../components/menu/more-menu.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { counted, formatNumber } from '../../../../lib/display/format.ts'
import { copyText } from '../../../../lib/input/copy-text.ts'
import { navigate } from '../../../../lib/navigation/navigation.ts'
import { refusalOf, type Ticket } from '../../ticket.ts'

const MoveTicketDialog = lazy(async () => (await import('./move-ticket-dialog.tsx')).MoveTicketDialog)

async function copyLink() {
  if (await copyText(window.location.href.split('?')[0] ?? '')) notify.info('Link copied')
  else notify.error('The link could not be copied: copy it from the address bar')
}

/** The actions for a ticket as a whole. */
export function TicketMenu({ ticket, blocked, onLeave }: { ticket: Ticket; blocked: string | undefined; onLeave: () => void }) {
  const [asked, ask] = useState<'move' | 'trash'>()
  const refusal = (needed: PermissionId) => {
    const note = refusalOf(ticket, needed, blocked)
    return { isDisabled: note !== undefined, note }
  }
  return (
    <>
      <MoreMenu
        choices={[
          {
            key: 'link',
            label: 'Copy link',
            icon: <LinkIcon />,
            onChoose: copyLink,
          },
          {
            key: 'move',
            label: 'Move…',
            icon: <MoveIcon />,
            ...refusal(permission.editTickets),
            onChoose: () => ask('move'),
          },
          {
            key: 'trash',
            label: 'Move to the trash…',
            icon: <DeleteIcon />,
            ...refusal(permission.deleteTickets),
            onChoose: () => ask('trash'),
          },
        ]}
      />
      {asked === 'move' && <MoveTicketDialog ticket={ticket} onClose={() => ask(undefined)} />}
      {asked === 'trash' && <TrashConfirmation ticket={ticket} onLeave={onLeave} onClose={() => ask(undefined)} />}
    </>
  )
}

/** `below`: how many tickets there are below it, undefined while that is not known. */
function whatGoes(below: number | undefined) {
  if (below === undefined) return 'The ticket and all tickets below it go to the trash.'
  if (below === 0) return 'This ticket goes to the trash. There are no tickets below it.'
  return `This ticket and the ${counted(below, 'ticket')} below it go to the trash.`
}

function TrashConfirmation({ ticket, onLeave, onClose }: { ticket: Ticket; onLeave: () => void; onClose: () => void }) {
  const { idTicket, idProject, idParent, pcode } = ticket
  const code = `${pcode}-${idTicket}`
  // With a filter the answer's total includes all levels.
  const below = useQuery(callQuery(queryTickets, { idProject, idParent: idTicket, Phases: [1, 2, 3], Limit: 1 }))
  const trash = useCallMutation(trashTicket)
  const restore = useCallMutation(restoreTicket)
  const count = below.data?.Total
  return (
    <ConfirmDialog
      open
      title={`Move ${code} to the trash?`}
      confirmLabel="MOVE TO THE TRASH"
      busy={trash.isPending}
      onClose={onClose}
      onConfirm={() =>
        trash.mutate(
          { idTicket },
          {
            onSuccess: ({ Tickets }) => {
              onClose()
              // The page must drop its changes before it is left, or it would ask about them.
              flushSync(onLeave)
              notify.success(
                Tickets === 1 ? `Ticket ${code} is in the trash` : `${formatNumber(Tickets)} tickets are in the trash`,
                undo(() => restore.mutateAsync({ idTicket }).then(() => `Ticket ${code} restored`)),
              )
              void navigate(idParent === null ? `/view-project/${idProject}` : `/view-ticket/${idParent}`)
            },
            onError: problem => notify.failure(problem),
          },
        )
      }
    >
      {whatGoes(count)} {count === 0 ? 'It' : 'They'} can be restored from the trash.
    </ConfirmDialog>
  )
}
