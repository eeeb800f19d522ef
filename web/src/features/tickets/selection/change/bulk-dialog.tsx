import type { Request, Response } from '@tessera/contract/call'
import type { PermissionId } from '@tessera/contract/permissions'
import { applyBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { Spinner } from '../../../../components/spinner/spinner.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../../lib/display/format.ts'
import { refusalMessage } from '../../../../lib/forms/refusal-messages.ts'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'
import { notReached } from '../../changes/not-reached.ts'
import { RunProgress } from '../../changes/run-progress.tsx'
import { usualRole } from '../../ticket.ts'
import { clearSelection, type Selection } from '../selection.ts'
import formStyles from './bulk-dialog.module.css'
import { type BulkChange, type ChangeDraft, changeOf, emptyDraft } from './change-draft.ts'
import { ChangeForm } from './change-form.tsx'
import { ChangePreview, TicketLines } from './change-preview.tsx'
import { useLabels, usePeople } from './part-editor.tsx'
import { type AskedChange, useBulkPreview } from './use-bulk-preview.ts'

/** `state`, `people` and `labels` are changes that begin with that part. */
export type BulkTask = 'change' | 'state' | 'people' | 'labels' | 'move' | 'trash' | 'watch'
const titles: Record<BulkTask, string> = {
  change: 'Change',
  state: 'Change',
  people: 'Change',
  labels: 'Change',
  move: 'Move',
  trash: 'Move to the trash:',
  watch: 'Watch',
}
const begins: Record<BulkTask, ChangeDraft> = {
  change: emptyDraft,
  state: { ...emptyDraft, parts: ['State'] },
  people: emptyDraft,
  labels: { ...emptyDraft, parts: ['AddLabels'] },
  move: { ...emptyDraft, parts: ['Parent'] },
  trash: emptyDraft,
  watch: { ...emptyDraft, parts: ['Watch'] },
}

const goneMessage = 'You cannot see this project anymore, or something that you chose was deleted meanwhile.'

type Applied = Response<typeof applyBulkChange>

interface BulkDialogProps {
  idProject: number
  pcode: string
  /** Any ticket of the project. */
  idTicket: number
  selection: Selection
  count: number
  task: BulkTask
  onClose: () => void
}

/** Changes the selected tickets, in three steps: choose the change, see its preview, apply it. */
export function BulkDialog({ idProject, pcode, idTicket, selection, count, task, onClose }: BulkDialogProps) {
  const session = useSession()
  /** The change to preview. Without anything to choose it is shown at once. */
  const [asked, ask] = useState<AskedChange | undefined>(task === 'trash' ? { turn: 0, Change: { Trash: 1 } } : undefined)
  const [done, setDone] = useState<Applied>()
  const { roles, users } = usePeople(idTicket)
  const role = task === 'people' ? usualRole(roles.data ?? []) : undefined
  const [edited, setDraft] = useState<ChangeDraft>()
  const draft = edited ?? (role ? { ...emptyDraft, parts: [`role.${role.id}`] as const } : begins[task])
  const isReplacing = draft.parts.includes('SetLabels')
  const labels = useLabels(idProject, isReplacing)
  const apply = useCallMutation(applyBulkChange)
  const back = useCallMutation(revertChangeSet)
  const may = (needed: PermissionId) => mayInProject(session, idProject, needed)
  const changeWith = (offered: typeof labels.data): BulkChange | undefined =>
    task === 'trash'
      ? { Trash: 1 }
      : changeOf(draft, {
          members: users.data?.map(({ id }) => id),
          labels: offered?.map(({ idLabel }) => idLabel),
        })
  const preview = useBulkPreview({ idProject, pcode, selection, asked })
  const [first] = preview.pages ?? []
  const content = useRef<HTMLDivElement>(null)
  const backButton = useRef<HTMLButtonElement>(null)
  const isPreviewed = first !== undefined && task !== 'trash'
  const hasNothing = first?.Changed === 0
  useEffect(() => {
    // The field that had the focus is gone: Enter goes on, or back where nothing can be applied, and must not reach CANCEL.
    if (!isPreviewed) return
    const apply = content.current?.closest('form')?.querySelector<HTMLElement>('[type=submit]')
    ;(hasNothing ? backButton.current : apply)?.focus()
  }, [isPreviewed, hasNothing])
  const look = async () => {
    // Replacing takes off every label that there is now, not only those that were there when the form was opened.
    const now = isReplacing ? await labels.refetch() : labels
    const Change = isReplacing && now.isError ? undefined : changeWith(now.data)
    if (Change) ask({ turn: (asked?.turn ?? 0) + 1, Change })
  }

  const finish = () => {
    onClose()
    clearSelection(idProject)
  }
  const carryOut = () => {
    // Applying is idempotent: a second click sends the same preview.
    if (!first || apply.isPending) return
    apply.mutate(
      { idPreview: first.idPreview },
      {
        onSuccess: answer => {
          say(answer, first.Along, back.mutateAsync)
          if (answer.Skipped.length > 0) setDone(answer)
          else finish()
        },
      },
    )
  }
  const problem = (isReplacing && labels.isRefetchError && !labels.isRefetching ? labels.error : null) ?? preview.error ?? apply.error
  const what = counted(count, 'ticket')
  const step = () => {
    if (preview.pages) return <ChangePreview pcode={pcode} pages={preview.pages} list={preview.list} />
    if (task === 'trash') return preview.isLooking && <Spinner label="Checking what would change" />
    if (task === 'people' && !roles.isFetched) return <Spinner label="Loading" />
    return <ChangeForm idProject={idProject} pcode={pcode} idTicket={idTicket} draft={draft} onChange={setDraft} may={may} />
  }
  if (done) return <Skipped pcode={pcode} done={done} onClose={finish} />
  return (
    <FormDialog
      title={`${titles[task]} ${what}`}
      maxWidth="sm"
      submitLabel={first ? 'APPLY' : 'PREVIEW'}
      disabled={first ? hasNothing : changeWith(labels.data) === undefined}
      busy={preview.isLooking || apply.isPending || (isReplacing && labels.isRefetching)}
      isDirty={edited !== undefined}
      error={problem?.code === 'not_found' ? goneMessage : refusalMessage(problem)}
      onSubmit={first ? carryOut : () => void look()}
      onClose={onClose}
      actions={
        first &&
        task !== 'trash' && (
          <Button
            ref={backButton}
            disabled={apply.isPending}
            onClick={() => {
              apply.reset()
              ask(undefined)
            }}
          >
            BACK
          </Button>
        )
      }
    >
      <div ref={content} className={formStyles.content}>
        {step()}
        {apply.isPending && first && (
          <RunProgress run={{ idProject, idPreview: first.idPreview }} words={`Changing ${counted(first.Changed, 'ticket')}…`} />
        )}
      </div>
    </FormDialog>
  )
}

type Revert = (input: Request<typeof revertChangeSet>) => Promise<Response<typeof revertChangeSet>>

function say({ Changed, idChangeSet, Stopped }: Applied, along = 0, revert: Revert) {
  // After a stop nobody knows how many of them went along.
  const changed = Changed + (Stopped ? 0 : along)
  const words = (Changed === 0 ? 'No ticket was changed' : `${counted(changed, 'ticket')} changed`) + notReached(Stopped)
  if (idChangeSet === null) return void notify.success(words)
  notify.success(
    words,
    undo(async () => {
      const back = await revert({ idChangeSet })
      return `${counted(back.Changed, 'ticket')} changed back${back.Skipped?.length ? `, ${back.Skipped.length} left as they are` : ''}`
    }),
  )
}

/** Which tickets were not changed, and why. */
function Skipped({ pcode, done, onClose }: { pcode: string; done: Applied; onClose: () => void }) {
  const titleId = useId()
  const reasons = [...Map.groupBy(done.Skipped, ({ Reason }) => Reason)]
  return (
    <Dialog onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle
        id={titleId}
      >{`${counted(done.Changed, 'ticket')} changed, ${done.Skipped.length} left alone${notReached(done.Stopped)}`}</DialogTitle>
      <DialogContent className={formStyles.content}>
        {reasons.map(([reason, rows]) => (
          <div key={reason}>
            <p>{reason}:</p>
            <TicketLines pcode={pcode} ids={rows.map(({ id }) => id)} titles={done.Titles} label={reason} />
          </div>
        ))}
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          CLOSE
        </Button>
      </DialogActions>
    </Dialog>
  )
}
