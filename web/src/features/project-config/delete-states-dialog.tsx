import Alert from '@mui/material/Alert'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { deleteTicketStates, getTicketStateUsage } from '@tessera/contract/project-config'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { undo } from '../../components/undo.ts'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'
import { AffectedList } from './affected-list.tsx'

interface DeleteStatesDialogProps {
  idProject: number
  /** Every state of the project. */
  states: readonly { id: number; Description: string }[]
  ids: number[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** A state with tickets needs another one for them; an entry state and the last one stay. */
export function DeleteStatesDialog({ idProject, states, ids, onRestore, onClose }: DeleteStatesDialogProps) {
  const { data: usage } = useQuery({ ...callQuery(getTicketStateUsage, { idProject, ids }), staleTime: 0 })
  const remove = useCallMutation(deleteTicketStates)
  const [replacement, replace] = useState<number>()
  const kept = states.filter(({ id }) => !ids.includes(id))
  const nameOf = (id: number) => states.find(state => state.id === id)?.Description ?? ''
  const entries = usage?.filter(({ Templates }) => Templates.length > 0) ?? []
  const tickets = usage?.reduce((sum, { Tickets }) => sum + Tickets, 0) ?? 0
  const isImpossible = kept.length === 0 || entries.length > 0
  const rows = usage?.map(({ id, Tickets }) => ({ id, name: nameOf(id), words: Tickets > 0 ? counted(Tickets, 'ticket') : 'no tickets' }))
  const confirm = () =>
    remove.mutate(
      { idProject, ids, ...(tickets > 0 && replacement && { idReplacement: replacement }) },
      {
        onSuccess: () => {
          const moved = tickets > 0 && replacement ? `, ${counted(tickets, 'ticket')} moved to ${nameOf(replacement)}` : ''
          notify.success(
            `${counted(ids.length, 'state')} deleted${moved}`,
            undo(() => onRestore(ids)),
          )
          onClose()
        },
        onError: problem => problem instanceof SessionTimedOut || notify.error(problem.message),
      },
    )
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, 'state')}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || !usage || isImpossible || (tickets > 0 && !replacement)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {kept.length === 0 && <Alert severity="warning">A project keeps at least one state.</Alert>}
      {entries.map(({ id, Templates }) => (
        <Alert key={id} severity="warning" sx={{ mb: 1 }}>
          New tickets of {new Intl.ListFormat('en-US').format(Templates)} start in {nameOf(id)}. Give{' '}
          {Templates.length === 1 ? 'this template' : 'these templates'} another initial state first.
        </Alert>
      ))}
      <AffectedList label="Deleted" rows={rows} />
      {tickets > 0 && !isImpossible && (
        <TextField
          select
          label={`Move ${counted(tickets, 'ticket')} to`}
          value={replacement ?? ''}
          onChange={event => replace(Number(event.target.value))}
          helperText="Moves to and from a deleted state leave the workflow as well"
          sx={{ mt: 2 }}
        >
          {kept.map(({ id, Description }) => (
            <MenuItem key={id} value={id}>
              {Description}
            </MenuItem>
          ))}
        </TextField>
      )}
    </ConfirmDialog>
  )
}
