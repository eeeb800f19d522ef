import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { moveTicket, type QueriedTicket, queryTickets } from '@tessera/contract/tickets'
import { useEffect, useState } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import type { Ticket } from './use-ticket-draft.ts'

/** Puts the ticket, with all below it, under another parent that is found by searching, or at the top. */
export function MoveTicketDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket, idProject, idParent, pcode } = ticket
  const [parent, choose] = useState<QueriedTicket | null>(null)
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
  const options = (found.data?.Tickets ?? []).filter(
    ({ id, Path }) => id !== idTicket && id !== idParent && !Path?.some(step => step.id === idTicket),
  )
  const target = parent?.id ?? null
  return (
    <FormDialog
      open
      title={`Move ${pcode}-${idTicket}`}
      maxWidth="sm"
      submitLabel={target === null && idParent !== null ? 'MOVE TO THE TOP' : 'MOVE'}
      disabled={target === idParent}
      busy={move.isPending}
      error={move.error && !(move.error instanceof SessionTimedOut) ? move.error.message : undefined}
      onSubmit={() =>
        move.mutate(
          { idTicket, idParent: target },
          {
            onSuccess: () => {
              notify.success(
                target === null
                  ? `Ticket ${pcode}-${idTicket} moved to the top`
                  : `Ticket ${pcode}-${idTicket} moved under ${pcode}-${target}`,
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
        getOptionLabel={({ id, Title }) => `${pcode}-${id} ${Title}`}
        renderOption={({ key: _key, ...props }, option) => (
          <Box component="li" {...props} key={option.id} sx={{ display: 'block !important' }}>
            <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              <Box component="span" sx={{ color: 'text.secondary', mr: 1 }}>
                {pcode}-{option.id}
              </Box>
              {option.Title}
            </Box>
            {option.Path && option.Path.length > 0 && (
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>in {option.Path.map(({ Title }) => Title).join(' › ')}</Box>
            )}
          </Box>
        )}
        renderInput={params => (
          <TextField
            {...params}
            label="New parent"
            placeholder="Search by ID or description"
            helperText={idParent === null ? undefined : 'Leave it empty to move the ticket to the top.'}
          />
        )}
      />
    </FormDialog>
  )
}
