import type { Request, Response } from '@tessera/contract/call'
import type { deleteLabels } from '@tessera/contract/projects/labels'
import type { deleteTicketFields, deleteTicketStates, deleteTicketTemplates } from '@tessera/contract/projects/project-config'
import type { deleteProjectRoles } from '@tessera/contract/projects/projects'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { Select } from '../../../components/select/select.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import styles from './delete-dialog.module.css'

type DeleteCall =
  | typeof deleteLabels
  | typeof deleteTicketFields
  | typeof deleteTicketStates
  | typeof deleteTicketTemplates
  | typeof deleteProjectRoles

interface DeleteDialogProps<C extends DeleteCall> {
  call: C
  idProject: number
  /** One of them: "field". */
  noun: string
  ids: number[]
  /** What a delete affects. */
  children: ReactNode
  /** Replacements, one of which must be chosen unless there is a word for `none`. */
  replacement?: { label: string; hint?: string; none?: string; choices: readonly { id: number; Description: string }[] } | undefined
  /** The deletion is not possible, or not yet. */
  disabled?: boolean
  /** The message after success; `taker` is the name of the replacement. */
  done: (answer: Response<C>, taker: string | undefined) => string
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** Asks before part of the configuration is deleted, and offers UNDO afterwards. */
export function DeleteDialog<C extends DeleteCall>(props: DeleteDialogProps<C>) {
  const { call, idProject, noun, ids, children, replacement, disabled = false, done, onRestore, onClose } = props
  const remove = useCallMutation(call)
  const [idReplacement, replace] = useState<number>()
  /** An earlier attempt may have succeeded. */
  const [wasAnswerLost, loseAnswer] = useState(false)
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
      onError: problem => {
        if (problem.code === 'network') loseAnswer(true)
        if (problem.status !== 404) return notify.failure(problem)
        // The list of the page is read again; what else was chosen there is still chosen.
        notify.error(
          ids.length === 1 && !taker ? `The ${noun} was deleted meanwhile` : `Some ${noun}s were deleted meanwhile: choose again`,
          wasAnswerLost ? undo(() => onRestore(ids)) : undefined,
        )
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      title={`Delete ${counted(ids.length, noun)}?`}
      confirmLabel="DELETE"
      busy={remove.isPending}
      disabled={disabled || (replacement !== undefined && !replacement.none && !taker)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
      {replacement && (
        <Select
          label={replacement.label}
          value={taker?.id ?? (replacement.none ? 0 : '')}
          options={[
            ...(replacement.none ? [{ value: 0, label: replacement.none }] : []),
            ...replacement.choices.map(({ id, Description }) => ({ value: id, label: Description })),
          ]}
          emptyText={`There is no other ${noun}`}
          onChange={id => replace(Number(id))}
          helperText={replacement.hint}
          className={styles.replacement}
        />
      )}
    </ConfirmDialog>
  )
}
