import { revertChangeSet } from '@tessera/contract/tickets/bulk'
import { useState } from 'react'
import { LabeledCheckBox } from '../../../components/check-box/check-box.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Spinner } from '../../../components/spinner/spinner.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { post } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import { refusalMessage } from '../../../lib/forms/refusal-messages.ts'
import { ChangePreview, type PreviewPage } from '../selection/change/change-preview.tsx'
import { usePreview } from '../selection/change/use-preview.ts'
import type { ChangeSet } from './change-set.ts'
import { notReached } from './not-reached.ts'
import styles from './project-changes-page.module.css'
import { RunProgress } from './run-progress.tsx'

interface RevertDialogProps {
  idProject: number
  set: Pick<ChangeSet, 'idChangeSet' | 'What' | 'Tickets'>
  pcode: string
  onClose: () => void
}

/** The effect of reverting the change; `also` are tickets that were changed since. */
function useRevertPreview(idChangeSet: number, also: number[]) {
  return usePreview<PreviewPage>([revertChangeSet.path, idChangeSet, also], async before => {
    const answer = await post(revertChangeSet, {
      idChangeSet,
      Preview: 1,
      Also: also,
      ...(before?.NextCursor && { Cursor: before.NextCursor }),
    })
    // Some members are optional in the contract.
    const { Total = 0, Changed, Same = 0, Refused = [], Rows = [], Titles = [], NextCursor = null } = answer
    return { Total, Changed, Same, Refused, Rows, Titles, NextCursor }
  })
}

/** Reverts a change, after showing the effect. Tickets of an import that were changed since are included only on request. */
export function RevertDialog({ idProject, set, pcode, onClose }: RevertDialogProps) {
  const { idChangeSet, What, Tickets } = set
  const [isAlso, setAlso] = useState(false)
  const plain = useRevertPreview(idChangeSet, [])
  const since = What === 'import' ? (plain.pages?.[0]?.Refused.filter(({ Reason }) => Reason.startsWith('Changed since')) ?? []) : []
  const edited = since.flatMap(row => row.Tickets)
  const also = isAlso ? edited : []
  const preview = useRevertPreview(idChangeSet, also)
  const back = useCallMutation(revertChangeSet)
  const carryOut = () =>
    back.mutate(
      { idChangeSet, Also: also },
      {
        onSuccess: ({ Changed, Skipped, Stopped, idChangeSet: own }) => {
          const words = `${counted(Changed, 'ticket')} ${What === 'import' || What === 'restore' ? 'moved to the trash' : 'changed back'}`
          const left = Skipped && Skipped.length > 0 ? `, ${new Set(Skipped.map(({ id }) => id)).size} left as they are` : ''
          notify.success(
            words + left + notReached(Stopped),
            own == null
              ? undefined
              : undo(async () => `${counted((await back.mutateAsync({ idChangeSet: own })).Changed, 'ticket')} changed again`),
          )
          onClose()
        },
      },
    )
  // The preview without edited tickets stays visible while the one with them is read.
  const pages = preview.pages ?? plain.pages
  return (
    <FormDialog
      title={
        What === 'import' ? `Revert the import of ${counted(Tickets, 'ticket')}` : `Revert the change of ${counted(Tickets, 'ticket')}`
      }
      maxWidth="sm"
      submitLabel="REVERT"
      disabled={!preview.pages?.[0]?.Changed}
      busy={back.isPending}
      error={refusalMessage(back.error)}
      onSubmit={carryOut}
      onClose={onClose}
    >
      <div className={styles.content}>
        {!pages && preview.isLooking && <Spinner label="Checking what would change" />}
        {edited.length > 0 && (
          <LabeledCheckBox
            label={`Also ${counted(edited.length, 'ticket')} that ${edited.length === 1 ? 'was' : 'were'} changed since`}
            checked={isAlso}
            onChange={event => setAlso(event.target.checked)}
          />
        )}
        {preview.error ? (
          <ErrorState dense message={preview.error.message} onRetry={preview.retry} />
        ) : (
          pages && <ChangePreview pcode={pcode} pages={pages} list={preview.list} refused="not reverted" />
        )}
        {back.isPending && <RunProgress run={{ idProject, idChangeSet }} words="Reverting…" />}
      </div>
    </FormDialog>
  )
}
