import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { moveTicket, queryTickets } from '@tessera/contract/tickets'
import { useEffect, useState } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import type { Ticket } from './use-ticket-draft.ts'

interface Place {
  /** 0 is the top of the project. */
  id: number
  Title: string
  Path?: { id: number; Title: string }[] | undefined
}
const top: Place = { id: 0, Title: 'At the top, without a parent' }

/** Puts the ticket, with all below it, under another parent that is found by searching, or at the top. */
export function MoveTicketDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket, idProject, idParent, pcode } = ticket
  const [parent, choose] = useState<Place | null>(null)
  const [text, setText] = useState('')
  const [wanted, want] = useState('')
  const move = useCallMutation(moveTicket)
  useEffect(() => {
    const timer = setTimeout(() => want(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const isCode = new RegExp(`^(${pcode}-?)?\\d+$`, 'i').test(wanted)
  const found = useQuery({
    ...callQuery(queryTickets, { idProject, Limit: 20, Phases: [1, 2, 3], ...(wanted && (isCode ? { Id: wanted } : { Title: wanted })) }),
    placeholderData: keepPreviousData,
  })
  // What stands under the ticket cannot become its parent.
  const tickets: Place[] = (found.data?.Tickets ?? []).filter(
    ({ id, Path }) => id !== idTicket && id !== idParent && !Path?.some(step => step.id === idTicket),
  )
  const options = idParent === null || wanted ? tickets : [top, ...tickets]
  const nameOf = (place: Place) => (place.id === 0 ? place.Title : `${pcode}-${place.id} ${place.Title}`)
  return (
    <FormDialog
      open
      title={`Move ${pcode}-${idTicket}`}
      maxWidth="sm"
      submitLabel="MOVE"
      disabled={parent === null}
      busy={move.isPending}
      error={move.error && !(move.error instanceof SessionTimedOut) ? move.error.message : undefined}
      onSubmit={() =>
        parent &&
        move.mutate(
          { idTicket, idParent: parent.id || null },
          {
            onSuccess: () => {
              notify.success(
                parent.id === 0
                  ? `Ticket ${pcode}-${idTicket} moved to the top`
                  : `Ticket ${pcode}-${idTicket} moved under ${pcode}-${parent.id}`,
              )
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <Box sx={{ color: 'text.secondary' }}>
        Tickets below it move along. {idParent === null ? 'It stands at the top now.' : `Its parent is ${pcode}-${idParent} now.`}
      </Box>
      <Autocomplete
        options={options}
        value={parent}
        onChange={(_event, chosen) => choose(chosen)}
        inputValue={text}
        onInputChange={(_event, typed) => setText(typed)}
        filterOptions={every => every}
        loading={found.isFetching}
        noOptionsText="No ticket matches"
        isOptionEqualToValue={(option, value) => option.id === value.id}
        getOptionLabel={nameOf}
        renderOption={({ key: _key, ...props }, option) => (
          <Box component="li" {...props} key={option.id} sx={{ display: 'block !important' }}>
            <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {option.id > 0 && (
                <Box component="span" sx={{ color: 'text.secondary', mr: 1 }}>
                  {pcode}-{option.id}
                </Box>
              )}
              {option.Title}
            </Box>
            {option.Path && option.Path.length > 0 && (
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>in {option.Path.map(({ Title }) => Title).join(' › ')}</Box>
            )}
          </Box>
        )}
        renderInput={params => <TextField {...params} label="New parent" placeholder="Search by ID or description" />}
      />
    </FormDialog>
  )
}
