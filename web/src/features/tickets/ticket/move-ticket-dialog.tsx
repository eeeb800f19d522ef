import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { queryTickets } from '@tessera/contract/tickets'
import { useEffect, useState } from 'react'
import { Autocomplete } from '../../../components/autocomplete/autocomplete.tsx'
import { MultiSelectField } from '../../../components/autocomplete/multi-select-field.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { callQuery, SessionTimedOut } from '../../../lib/api.ts'
import { useMoveTickets } from '../moving/use-move-tickets.ts'
import type { Ticket } from '../ticket.ts'
import styles from './move-ticket-dialog.module.css'

interface Place {
  /** 0 is the top of the project. */
  id: number
  /** The value of the field when it is chosen. */
  text: string
  Title: string
  Path?: { id: number; Title: string }[] | undefined
}
const top: Place = { id: 0, text: 'At the top, without a parent', Title: 'At the top, without a parent' }

/** Puts the ticket, with all below it, under another parent that is found by searching, or at the top. */
export function MoveTicketDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket, idProject, idParent, pcode } = ticket
  const [parent, choose] = useState<Place | null>(null)
  const [text, setText] = useState('')
  const [wanted, want] = useState('')
  const [others, setOthers] = useState<number[]>([])
  const move = useMoveTickets(idProject, pcode)
  const beside = useQuery(callQuery(queryTickets, { idProject, idParent, Limit: limits.pageSizeMax }))
  useEffect(() => {
    const timer = setTimeout(() => want(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const isCode = new RegExp(`^(${pcode}-?)?\\d+$`, 'i').test(wanted)
  const found = useQuery({
    ...callQuery(queryTickets, { idProject, Limit: 20, Phases: [1, 2, 3], ...(wanted && (isCode ? { Id: wanted } : { Title: wanted })) }),
    placeholderData: keepPreviousData,
  })
  // A ticket's descendants cannot become its parent.
  const tickets: Place[] = (found.data?.Tickets ?? [])
    .filter(({ id, Path }) => id !== idTicket && id !== idParent && !others.includes(id) && !Path?.some(step => step.id === idTicket))
    .map(({ id, Title, Path }) => ({ id, text: `${pcode}-${id} ${Title}`, Title, Path }))
  const siblings = (beside.data?.Tickets ?? [])
    .filter(({ id }) => id !== idTicket && id !== parent?.id)
    .map(({ id, Title }) => ({ id, text: `${pcode}-${id} ${Title}` }))
  const options = idParent === null || wanted ? tickets : [top, ...tickets]
  return (
    <FormDialog
      open
      title={`Move ${pcode}-${idTicket}`}
      maxWidth="sm"
      submitLabel="MOVE"
      disabled={parent === null}
      busy={move.isPending}
      error={move.error && !(move.error instanceof SessionTimedOut) ? move.error.message : undefined}
      onSubmit={() => parent && void move.run([idTicket, ...others], parent.id || null).then(onClose, () => undefined)}
      onClose={onClose}
    >
      <p className={styles.now}>
        Tickets below it move along. {idParent === null ? 'It stands at the top now.' : `Its parent is ${pcode}-${idParent} now.`}
      </p>
      <Autocomplete
        label="New parent"
        placeholder="Search by ID or description"
        options={options}
        value={parent}
        onChange={choose}
        text={text}
        onTextChange={setText}
        loading={found.isFetching}
        emptyText="No ticket matches"
        renderOption={({ id, Title, Path }) => (
          <div className={styles.place}>
            <div className={styles.name}>
              {id > 0 && (
                <span className={styles.code}>
                  {pcode}-{id}
                </span>
              )}
              {Title}
            </div>
            {Path && Path.length > 0 && <div className={styles.path}>in {Path.map(step => step.Title).join(' › ')}</div>}
          </div>
        )}
      />
      {siblings.length > 0 && (
        <MultiSelectField
          label="Move along"
          helperText="Tickets that stand beside it"
          options={siblings}
          value={others}
          onChange={setOthers}
        />
      )}
    </FormDialog>
  )
}
