import { revertChangeSet } from '@tessera/contract/tickets/bulk'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { LabelledCheckBox } from '../../../components/check-box/check-box.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Spinner } from '../../../components/spinner/spinner.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { post, useCallMutation } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { refusalMessage } from '../../../lib/forms/refusal-messages.ts'
import { ChangePreview, type PreviewPage } from '../selection/change/change-preview.tsx'
import { usePreviewPages } from '../selection/change/use-preview-pages.ts'
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

/** The answer of a preview, whose members are optional in the contract. */
async function readPreview(idChangeSet: number, more: { Cursor?: string; Also?: number[] }): Promise<PreviewPage> {
  const {
    Total = 0,
    Changed,
    Same = 0,
    Refused = [],
    Rows = [],
    NextCursor = null,
  } = await post(revertChangeSet, {
    idChangeSet,
    Preview: 1,
    ...more,
  })
  return { Total, Changed, Same, Refused, Rows, NextCursor }
}

/** Reverts a change, after showing the effect. Tickets of an import that were changed since are included only on request. */
export function RevertDialog({ idProject, set, pcode, onClose }: RevertDialogProps) {
  const { idChangeSet, What, Tickets } = set
  const [also, choose] = useState<readonly number[]>([])
  /** The tickets that were changed since, from the first preview. */
  const [edited, setEdited] = useState<readonly number[]>([])
  const [looking, setLooking] = useState<{ error?: Error } | undefined>({})
  const previewPages = usePreviewPages<PreviewPage>((_, Cursor) => readPreview(idChangeSet, { Cursor, Also: [...also] }))
  const back = useCallMutation(revertChangeSet)
  const asked = useRef(0)
  const look = async (Also: readonly number[]) => {
    const mine = ++asked.current
    setLooking({})
    try {
      const page = await readPreview(idChangeSet, { Also: [...Also] })
      if (mine !== asked.current) return
      previewPages.show(page)
      if (What === 'import' && Also.length === 0)
        setEdited(page.Refused.filter(({ Reason }) => Reason.startsWith('Changed since')).flatMap(row => row.Tickets))
      setLooking(undefined)
    } catch (error) {
      if (mine === asked.current) setLooking({ error: error as Error })
    }
  }
  const hasLooked = useRef(false)
  const lookAtOnce = useEffectEvent(() => {
    if (!hasLooked.current) void look([])
    hasLooked.current = true
  })
  useEffect(() => lookAtOnce(), [])

  const carryOut = () =>
    back.mutate(
      { idChangeSet, Also: [...also] },
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
  const { pages } = previewPages
  return (
    <FormDialog
      open
      title={
        What === 'import' ? `Revert the import of ${counted(Tickets, 'ticket')}` : `Revert the change of ${counted(Tickets, 'ticket')}`
      }
      maxWidth="sm"
      submitLabel="REVERT"
      disabled={!pages || looking !== undefined || pages[0].Changed === 0}
      busy={back.isPending}
      error={refusalMessage(back.error)}
      onSubmit={carryOut}
      onClose={onClose}
    >
      <div className={styles.content}>
        {!pages && looking && !looking.error && <Spinner label="Checking what would change" />}
        {edited.length > 0 && (
          <LabelledCheckBox
            label={`Also ${counted(edited.length, 'ticket')} that ${edited.length === 1 ? 'was' : 'were'} changed since`}
            checked={also.length > 0}
            onChange={event => {
              const chosen = event.target.checked ? edited : []
              choose(chosen)
              void look(chosen)
            }}
          />
        )}
        {looking?.error && <ErrorState dense message={looking.error.message} onRetry={() => void look(also)} />}
        {pages && !looking?.error && <ChangePreview pcode={pcode} pages={pages} list={previewPages.list} refused="not reverted" />}
        {back.isPending && <RunProgress run={{ idProject, idChangeSet }} words="Reverting…" />}
      </div>
    </FormDialog>
  )
}
