import type { UseQueryResult } from '@tanstack/react-query'
import type { deleteTicketFields, deleteTicketTemplates } from '@tessera/contract/projects/project-config'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { counted } from '../../../lib/display/format.ts'
import { AffectedList } from './affected-list.tsx'
import { DeleteDialog } from './delete-dialog.tsx'

interface DeleteOrArchiveDialogProps {
  call: typeof deleteTicketFields | typeof deleteTicketTemplates
  idProject: number
  noun: 'field' | 'template'
  ids: number[]
  usage: UseQueryResult
  /** Each of them by name, with its uses; undefined while counting. */
  rows: readonly { id: number; name: string; isUsed: boolean; words: string }[] | undefined
  /** What is kept when one in use is archived. */
  kept: string
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** What is not in use is deleted, the rest archived. */
export function DeleteOrArchiveDialog({ usage, rows, kept, ...props }: DeleteOrArchiveDialogProps) {
  return (
    <DeleteDialog
      {...props}
      disabled={!rows}
      done={({ Deleted, Archived }) =>
        Archived.length === 0
          ? `${counted(Deleted.length, props.noun)} deleted`
          : `${counted(Archived.length, props.noun)} archived${Deleted.length > 0 ? `, ${Deleted.length} deleted` : ''}`
      }
    >
      <LoadProblem of={[usage]} />
      {!rows && !usage.error && <AffectedList label="" rows={undefined} />}
      <AffectedList label="Not in use: deleted" rows={rows?.filter(({ isUsed }) => !isUsed) ?? []} />
      <AffectedList
        label={`In use: archived. ${kept}, and what is archived can be restored`}
        rows={rows?.filter(({ isUsed }) => isUsed) ?? []}
      />
    </DeleteDialog>
  )
}
