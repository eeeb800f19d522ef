import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { moveTicketWatchers } from '@tessera/contract/tickets/watchers'
import { Alert } from '../../../../components/alert/alert.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import type { Ticket } from '../../ticket.ts'
import styles from './links-card.module.css'

interface DuplicateOfferProps {
  ticket: Ticket
  original: { id: number; code: string }
  onClose: () => void
}

/** Offers the next steps for a ticket that was just marked as a duplicate: to close it, and to move its watchers over. */
export function DuplicateOffer({ ticket, original, onClose }: DuplicateOfferProps) {
  const { idTicket, idProject, pcode, OutputStates, Permissions, Phase, Watchers } = ticket
  const states = useQuery({ ...callQuery(getTicketStateList, { idProject }), staleTime: seldomStale }).data ?? []
  const save = useCallMutation(setTicketData)
  const move = useCallMutation(moveTicketWatchers)
  const mayClose = Phase !== 3 && Permissions.includes(permission.changeState)
  const inactive = mayClose ? OutputStates.filter(({ id }) => states.some(state => state.id === id && state.phase === 3)) : []
  const mayMove = Watchers.length > 0 && !move.isSuccess && Permissions.includes(permission.editTickets)
  if (inactive.length === 0 && !mayMove) return null
  const people = Watchers.length === 1 ? '1 person watches' : `${Watchers.length} people watch`
  return (
    <Alert
      severity="info"
      className={styles.offer}
      action={
        <Button variant="text" onClick={onClose}>
          NOT NOW
        </Button>
      }
    >
      This ticket duplicates {original.code}.
      {inactive.length > 0 && (
        <div className={styles.choices}>
          Move it to
          {inactive.map(({ id, Description }) => (
            <Button
              key={id}
              disabled={save.isPending}
              onClick={() =>
                save.mutate(
                  { idTicket, State: id },
                  {
                    onSuccess: () => {
                      notify.clear(messages.ticketSaveFailed(pcode, idTicket))
                      notify.success(messages.ticketSaved(pcode, idTicket))
                    },
                    onError: problem => notify.failure(problem, messages.ticketSaveFailed(pcode, idTicket)),
                  },
                )
              }
            >
              {Description}
            </Button>
          ))}
        </div>
      )}
      {mayMove && (
        <div className={styles.choices}>
          {people} it
          <Button
            disabled={move.isPending}
            onClick={() =>
              move.mutate(
                { idTicket, idOther: original.id },
                {
                  onSuccess: ({ Moved }) =>
                    notify.success(Moved === 1 ? `1 watcher moved to ${original.code}` : `${Moved} watchers moved to ${original.code}`),
                  onError: problem => notify.failure(problem),
                },
              )
            }
          >
            MOVE WATCHERS TO {original.code}
          </Button>
        </div>
      )}
    </Alert>
  )
}
