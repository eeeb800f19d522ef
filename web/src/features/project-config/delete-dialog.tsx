import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { Request, Response } from '@tessera/contract/call'
import type { deleteTicketFields, deleteTicketStates, deleteTicketTemplates } from '@tessera/contract/project-config'
import type { deleteProjectRoles } from '@tessera/contract/projects'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notify } from '../../components/toaster.tsx'
import { undo } from '../../components/undo.ts'
import { useCallMutation } from '../../lib/api.ts'
import { counted } from '../../lib/format.ts'

type DeleteCall = typeof deleteTicketFields | typeof deleteTicketStates | typeof deleteTicketTemplates | typeof deleteProjectRoles

interface DeleteDialogProps<C extends DeleteCall> {
  call: C
  idProject: number
  /** One of them: "field". */
  noun: string
  ids: number[]
  /** What a delete affects. */
  children: ReactNode
  /** What uses them goes to one of these, which must be chosen. */
  replacement?: { label: string; hint?: string; choices: readonly { id: number; Description: string }[] } | undefined
  /** It cannot be done, or not yet. */
  disabled?: boolean
  /** What is said when it is done; `taker` is the name of the one chosen. */
  done: (answer: Response<C>, taker: string | undefined) => string
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** Asks before something of the configuration is deleted, and offers to take it back. */
export function DeleteDialog<C extends DeleteCall>(props: DeleteDialogProps<C>) {
  const { call, idProject, noun, ids, children, replacement, disabled = false, done, onRestore, onClose } = props
  const remove = useCallMutation(call)
  const [idReplacement, replace] = useState<number>()
  const taker = replacement?.choices.find(({ id }) => id === idReplacement)
  const confirm = () =>
    remove.mutate({ idProject, ids, ...(taker && { idReplacement: taker.id }) } as Request<C>, {
      onSuccess: answer => {
        notify.success(
          done(answer, taker?.Description),
          undo(() => onRestore(ids)),
        )
        onClose()
      },
      onError: problem => notify.failure(problem),
    })
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, noun)}?`}
      confirmLabel="DELETE"
      danger
      busy={remove.isPending || disabled || (replacement !== undefined && !taker)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
      {replacement && (
        <TextField
          select
          label={replacement.label}
          value={taker?.id ?? ''}
          onChange={event => replace(Number(event.target.value))}
          helperText={replacement.hint}
          sx={{ mt: 2 }}
        >
          {replacement.choices.length === 0 && <MenuItem disabled>There is no other {noun}</MenuItem>}
          {replacement.choices.map(({ id, Description }) => (
            <MenuItem key={id} value={id}>
              {Description}
            </MenuItem>
          ))}
        </TextField>
      )}
    </ConfirmDialog>
  )
}
