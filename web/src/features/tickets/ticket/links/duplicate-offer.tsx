import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/project-config'
import { setTicketData } from '@tessera/contract/tickets'
import { Alert } from '../../../../components/alert/alert.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery, useCallMutation } from '../../../../lib/api.ts'
import type { Ticket } from '../../ticket.ts'
import styles from './links-card.module.css'

/** Offers to close a ticket that was just said to duplicate another one. */
export function DuplicateOffer({ ticket, original, onClose }: { ticket: Ticket; original: string; onClose: () => void }) {
  const { idTicket, idProject, pcode, OutputStates, Permissions, Phase } = ticket
  const states = useQuery({ ...callQuery(getTicketStateList, { idProject }), staleTime: 60_000 }).data ?? []
  const save = useCallMutation(setTicketData)
  const inactive = OutputStates.filter(({ id }) => states.some(state => state.id === id && state.phase === 3))
  if (Phase === 3 || inactive.length === 0 || !Permissions.includes(permission.changeState)) return null
  return (
    <Alert
      severity="info"
      className={styles.offer}
      action={
        <div className={styles.choices}>
          {inactive.map(({ id, Description }) => (
            <Button
              key={id}
              disabled={save.isPending}
              onClick={() =>
                save.mutate(
                  { idTicket, State: id },
                  {
                    onSuccess: () => {
                      notify.success(messages.ticketSaved(pcode, idTicket))
                      onClose()
                    },
                    onError: problem => notify.failure(problem, messages.ticketSaveFailed(pcode, idTicket)),
                  },
                )
              }
            >
              {Description}
            </Button>
          ))}
          <Button variant="text" onClick={onClose}>
            NOT NOW
          </Button>
        </div>
      }
    >
      This ticket duplicates {original}. Move it to
    </Alert>
  )
}
