import { deleteLabels } from '@tessera/contract/projects/labels'
import { useState } from 'react'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Select } from '../../../components/select/select.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import { oneOf } from '../../../lib/display/word-list.ts'
import { useAsOpened } from '../deletion/use-as-opened.ts'
import type { Label } from './label.ts'

interface MergeLabelsDialogProps {
  idProject: number
  /** Two or more, which become one. */
  labels: readonly Label[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

const namedAtMost = 10

/** Merges several labels into one of them: the others are deleted, and their tickets get that one instead. */
export function MergeLabelsDialog({ idProject, labels: now, onRestore, onClose }: MergeLabelsDialogProps) {
  const labels = useAsOpened(now)
  const merge = useCallMutation(deleteLabels)
  /** An earlier attempt may have succeeded. */
  const [wasAnswerLost, loseAnswer] = useState(false)
  // A project's label cannot replace one of the organization.
  const isWide = labels.some(({ Scope }) => Scope === 'organization')
  const choices = labels.filter(({ Scope }) => !isWide || Scope === 'organization')
  const [kept, keep] = useState(choices.toSorted((one, other) => other.Tickets - one.Tickets)[0])
  const gone = labels.filter(({ idLabel }) => idLabel !== kept?.idLabel)
  const names = gone.map(({ Label }) => Label)
  const named = names.length > namedAtMost ? [...names.slice(0, namedAtMost), `${names.length - namedAtMost} more`] : names
  return (
    <FormDialog
      title={`Merge ${counted(labels.length, 'label')}`}
      submitLabel="MERGE"
      disabled={!kept}
      busy={merge.isPending}
      error={merge.error?.message}
      onSubmit={() => {
        const ids = gone.map(({ idLabel }) => idLabel)
        if (!kept) return
        merge.mutate(
          { idProject, ids, idReplacement: kept.idLabel },
          {
            onSuccess: () => {
              notify.success(
                `${counted(ids.length, 'label')} merged into ${kept.Label}`,
                undo(() => onRestore(ids)),
              )
              onClose()
            },
            onError: problem => {
              if (problem.code === 'network') loseAnswer(true)
              if (problem.status !== 404) return
              notify.error('Some labels were deleted meanwhile: choose again', wasAnswerLost ? undo(() => onRestore(ids)) : undefined)
              onClose()
            },
          },
        )
      }}
      onClose={onClose}
    >
      <Select
        label="The label that stays"
        value={kept?.idLabel ?? 0}
        options={choices.map(({ idLabel, Label }) => ({ value: idLabel, label: Label }))}
        onChange={id => keep(choices.find(({ idLabel }) => idLabel === id))}
      />
      <p>
        Tickets with {oneOf(named)} will carry {kept?.Label} instead.
      </p>
    </FormDialog>
  )
}
