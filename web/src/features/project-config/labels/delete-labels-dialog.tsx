import { deleteLabels } from '@tessera/contract/projects/labels'
import { counted } from '../../../lib/display/format.ts'
import { AffectedList } from '../deletion/affected-list.tsx'
import { DeleteDialog } from '../deletion/delete-dialog.tsx'
import { useAsOpened } from '../deletion/use-as-opened.ts'
import type { Label } from './label.ts'

interface DeleteLabelsDialogProps {
  idProject: number
  labels: readonly Label[]
  ids: number[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** Deletes labels: their tickets lose them, or get another label instead. */
export function DeleteLabelsDialog({ labels, ids: chosen, ...props }: DeleteLabelsDialogProps) {
  const ids = useAsOpened(chosen)
  const gone = useAsOpened(labels).filter(({ idLabel }) => ids.includes(idLabel))
  // The organization's labels can only be replaced by one of the organization: tickets of other projects cannot carry the project's labels.
  const isWide = gone.some(({ Scope }) => Scope === 'organization')
  const takers = labels.filter(({ idLabel, Scope }) => !ids.includes(idLabel) && (!isWide || Scope === 'organization'))
  return (
    <DeleteDialog
      {...props}
      ids={ids}
      call={deleteLabels}
      noun="label"
      replacement={
        takers.length > 0
          ? {
              label: `Replace ${ids.length === 1 ? 'it' : 'them'} on the tickets with`,
              none: 'No other label',
              choices: takers.map(({ idLabel, Label }) => ({ id: idLabel, Description: Label })),
            }
          : undefined
      }
      done={(_answer, taker) =>
        taker ? `${counted(ids.length, 'label')} replaced by ${taker}` : `${counted(ids.length, 'label')} deleted`
      }
    >
      <AffectedList
        label="Deleted"
        rows={gone.map(({ idLabel, Label, Tickets }) => ({
          id: idLabel,
          name: Label,
          words: Tickets > 0 ? counted(Tickets, 'ticket') : 'not in use here',
        }))}
      />
    </DeleteDialog>
  )
}
