import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { setView } from '@tessera/contract/projects/views'
import { needsPermission } from '@tessera/contract/refusals'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { LabeledCheckBox } from '../../../../components/check-box/check-box.tsx'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { ToggleGroup } from '../../../../components/toggle-group/toggle-group.tsx'
import { CallError } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { changedFrom } from '../../../../lib/forms/changed.ts'
import { nameRule } from '../../../../lib/forms/field-rules.ts'
import { formMessage, takenMessage } from '../../../../lib/forms/refusal-messages.ts'
import { currentSession, mayInProject, useSession } from '../../../../lib/session/session.tsx'
import { boardLanes } from '../../board/data/board-request.ts'
import type { TicketView } from '../view/ticket-view.ts'
import { queryOfView } from '../view/view-query.ts'
import { type SavedView, viewOfSaved } from './saved-view.ts'
import styles from './saved-views.module.css'

interface SaveViewDialogProps {
  idProject: number
  /** The saved view to change, as it was when the dialog was opened. */
  saved?: SavedView | undefined
  /** What the list shows, to be saved; without it only name, sharing and default are changed. */
  shown?: TicketView
  /** The name to begin with. */
  name?: string
  onSaved?: (view: TicketView) => void
  onClose: () => void
}

/** The content of a saved view for what the list shows. */
export async function contentOf(idProject: number, view: TicketView) {
  const { columns, sort, group, layout } = view
  const Open = layout === 'tree' ? view.open.slice(0, limits.openTickets) : []
  const Lanes = layout === 'board' ? boardLanes(idProject, view, currentSession().idUser) : 0
  return { Query: await queryOfView(idProject, view), Columns: columns, Sort: sort, Group: group, Layout: layout, Lanes, Open }
}

export function SaveViewDialog({ idProject, saved, shown, name = '', onSaved, onClose }: SaveViewDialogProps) {
  const save = useCallMutation(setView)
  const manages = mayInProject(useSession(), idProject, permission.manageProject)
  const [scope, setScope] = useState(saved?.Scope ?? 'private')
  const [isDefault, setDefault] = useState(saved?.Default === 1)
  const [problem, setProblem] = useState<string>()
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { Name: saved?.Name ?? name } })
  const mayBeDefault = scope === 'private' || manages
  const store = async (name: string) => {
    const content = shown && (await contentOf(idProject, shown))
    const Default = isDefault && mayBeDefault ? (1 as const) : (0 as const)
    const changed = changedFrom(saved, { Name: name, Scope: scope, Default })
    // In another scope, a view is the default only if the call says so.
    const given = { ...changed, ...(changed.Scope && { Default }), ...content }
    const { idView } = await save.mutateAsync({ idProject, ...(saved && { idView: saved.idView }), ...given })
    notify.success(saved ? 'The view was changed' : 'The view was saved')
    if (content) onSaved?.(viewOfSaved({ idView, Scope: scope, Mine: 1, Default, ...content }))
    onClose()
  }
  const fail = (error: Error) => {
    if (!(error instanceof CallError)) return setProblem(error.message)
    const taken = takenMessage(error)
    if (taken) setError('Name', { message: taken }, { shouldFocus: true })
    else setProblem(formMessage(error, saved ? 'view' : 'project'))
  }
  const submit = handleSubmit(async values => {
    setProblem(undefined)
    await store(values.Name.trim()).catch(fail)
  })
  const isDirty = formState.isDirty || scope !== (saved?.Scope ?? 'private') || isDefault !== (saved?.Default === 1)
  return (
    <FormDialog
      title={saved ? 'Edit View' : 'Save View'}
      submitLabel="SAVE"
      disabled={saved !== undefined && !isDirty}
      busy={formState.isSubmitting}
      isDirty={isDirty}
      error={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...register('Name', { validate: nameRule('a name for the view') })}
        problem={formState.errors.Name?.message}
      />
      <ToggleGroup
        label="Who sees it"
        value={scope}
        onChange={setScope}
        options={[
          { value: 'private', label: 'Only me' },
          { value: 'project', label: 'Everyone in the project' },
        ]}
        className={styles.scope}
      />
      <LabeledCheckBox
        label={
          scope === 'private' ? 'Start with this view when I open the project' : 'Start with this view for everyone who opens the project'
        }
        checked={isDefault && mayBeDefault}
        disabled={!mayBeDefault}
        onChange={event => setDefault(event.target.checked)}
      />
      {!mayBeDefault && <p className={styles.note}>{needsPermission(permission.manageProject)}.</p>}
    </FormDialog>
  )
}
