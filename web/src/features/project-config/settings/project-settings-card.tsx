import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { type getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { useRef, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useDraft } from '../../../lib/forms/drafts/use-draft.ts'
import { nameRule, shortCodeRule } from '../../../lib/forms/field-rules.ts'
import { takenMessage } from '../../../lib/forms/refusal-messages.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { isRefused, type ProjectRights, refusalIn } from '../project-rights.ts'
import styles from './project-settings-card.module.css'

interface ProjectSettingsCardProps {
  rights: ProjectRights
  project: Response<typeof getProjectData>
}

const fail = (problem: Error) => notify.failure(problem, messages.saveFailed)

export function ProjectSettingsCard({ rights, project }: ProjectSettingsCardProps) {
  const { idProject, held, frozen } = rights
  const save = useCallMutation(setProjectData)
  const { Title, ShortCode, DueField } = project
  const { draft, changed, isDirty, set, saved } = useDraft({ Title, ShortCode, DueField })
  const fields = useQuery(callQuery(getTicketFieldList, { idProject })).data ?? []
  const dates = fields.filter(({ FieldType }) => FieldType === propertyType.DATE)
  const shortCode = useRef<HTMLInputElement>(null)
  const titleProblem = nameRule('a title')(draft.Title)
  const codeProblem = shortCodeRule(draft.ShortCode)
  const refused = isRefused(rights, permission.manageProject)
  const canSave = isDirty && !titleProblem && !codeProblem && !save.isPending && !refused
  const submit = () => {
    const sent = Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value.trim()]))
    save.mutate(
      { idProject, ...sent },
      {
        onSuccess: () => {
          saved(changed, sent)
          notify.clear(messages.saveFailed)
          notify.success(messages.settingsSaved)
        },
        onError: problem => {
          fail(problem)
          if (problem.code === 'duplicate') shortCode.current?.focus()
        },
      },
    )
  }
  return (
    <SectionCard
      title="Project Settings"
      padded
      footer={
        <>
          <PermissionGate idProject={idProject} needs={permission.manageProject} held={held} reason={frozen}>
            {isOff => (
              <Button type="submit" form="project-settings" variant="contained" disabled={isOff || !canSave}>
                SAVE
              </Button>
            )}
          </PermissionGate>
          <Archive rights={rights} project={project} />
        </>
      }
    >
      <form
        id="project-settings"
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          if (canSave) submit()
        }}
      >
        <TextField
          label="Title"
          value={draft.Title}
          disabled={refused}
          onChange={event => set({ Title: event.target.value })}
          problem={titleProblem}
        />
        <TextField
          ref={shortCode}
          label="ShortCode"
          value={draft.ShortCode}
          disabled={refused}
          onChange={event => {
            save.reset()
            set({ ShortCode: event.target.value })
          }}
          problem={codeProblem ?? takenMessage(save.error)}
          spellCheck={false}
        />
        {dates.length > 0 && (
          <Select
            label="Due date"
            value={draft.DueField}
            disabled={refused}
            options={[{ value: '', label: 'None' }, ...dates.map(({ Key, Label }) => ({ value: Key, label: Label }))]}
            onChange={value => set({ DueField: value })}
            helperText="The field that says when a ticket is due. An open ticket whose date has passed is late."
          />
        )}
      </form>
      <LeaveGuard isDirty={isDirty} />
    </SectionCard>
  )
}

/** The button that asks, then archives the project; the toast offers UNDO. */
function Archive({ rights: { idProject, held }, project: { Title, Archived } }: ProjectSettingsCardProps) {
  const [isAsking, ask] = useState(false)
  const archive = useCallMutation(setProjectData)
  const archiveNow = () =>
    archive.mutate(
      { idProject, Archived: 1 },
      {
        onSuccess: () => {
          ask(false)
          notify.clear(messages.saveFailed)
          notify.success(
            'The project is archived',
            undo(() => archive.mutateAsync({ idProject, Archived: 0 }).then(() => 'The project is back')),
          )
        },
        onError: problem => {
          ask(false)
          fail(problem)
        },
      },
    )
  const refused = refusalIn({ idProject, held, frozen: undefined }, permission.manageProject)
  useActions(Archived === 0 ? [{ label: 'Archive project', refused, run: () => ask(true) }] : [])
  return (
    <>
      {Archived === 0 && (
        <PermissionGate idProject={idProject} needs={permission.manageProject} held={held}>
          {isOff => (
            <Button danger disabled={isOff || archive.isPending} onClick={() => ask(true)}>
              ARCHIVE PROJECT
            </Button>
          )}
        </PermissionGate>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`Archive ${Title}?`}
        confirmLabel="ARCHIVE PROJECT"
        busy={archive.isPending}
        onClose={() => ask(false)}
        onConfirm={archiveNow}
      >
        An archived project disappears from the lists and the title bar. It stays readable, takes no changes, and can be restored here.
      </ConfirmDialog>
    </>
  )
}
