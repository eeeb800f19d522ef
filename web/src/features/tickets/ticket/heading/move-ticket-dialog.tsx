import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { MultiSelectField } from '../../../../components/autocomplete/multi-select-field.tsx'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { type CallError, callQuery } from '../../../../lib/calls/api.ts'
import { refusalMessage } from '../../../../lib/forms/refusal-messages.ts'
import { moveTickets } from '../../moving/move-tickets.ts'
import { type ParentChoice, ParentField } from '../../moving/parent-field.tsx'
import type { Ticket } from '../../ticket.ts'
import styles from './move-ticket-dialog.module.css'

/** Puts the ticket, with all below it, under another parent that is found by searching, or at the top. */
export function MoveTicketDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket, idProject, idParent, pcode } = ticket
  const [parent, choose] = useState<ParentChoice | null>(null)
  const [others, setOthers] = useState<number[]>([])
  const queries = useQueryClient()
  const move = useMutation<void, CallError, number | null>({
    mutationFn: to => moveTickets(queries, { idProject, pcode, tickets: [idTicket, ...others], idParent: to }),
    onSuccess: onClose,
  })
  const beside = useQuery(callQuery(queryTickets, { idProject, idParent, Limit: limits.pageSizeMax }))
  const siblings = (beside.data?.Tickets ?? [])
    .filter(({ id }) => id !== idTicket && id !== parent?.id)
    .map(({ id, Title }) => ({ id, text: `${pcode}-${id} ${Title}` }))
  return (
    <FormDialog
      title={`Move ${pcode}-${idTicket}`}
      maxWidth="sm"
      submitLabel="MOVE"
      disabled={parent === null}
      busy={move.isPending}
      error={refusalMessage(move.error)}
      onSubmit={() => parent && move.mutate(parent.id || null)}
      onClose={onClose}
    >
      <p className={styles.now}>
        Tickets below it move with it. {idParent === null ? 'It is at the top now.' : `Its parent is ${pcode}-${idParent} now.`}
      </p>
      <ParentField
        idProject={idProject}
        pcode={pcode}
        value={parent}
        onChange={choose}
        hasTop={idParent !== null}
        // A ticket's descendants cannot become its parent.
        isExcluded={({ id, Path }) =>
          id === idTicket || id === idParent || others.includes(id) || Path?.some(step => step.id === idTicket) === true
        }
      />
      {siblings.length > 0 && (
        <MultiSelectField
          label="Also move"
          placeholder="Search by ID or description"
          helperText={idParent === null ? 'Other tickets at the top' : `Other tickets below ${pcode}-${idParent}`}
          options={siblings}
          value={others}
          onChange={setOthers}
        />
      )}
    </FormDialog>
  )
}
