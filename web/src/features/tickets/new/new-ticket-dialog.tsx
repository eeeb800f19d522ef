import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { type ReactNode, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { Link } from '../../../components/link/link.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { counted, formatDay } from '../../../lib/display/format.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'
import type { DateField } from '../dates/date-fields.ts'
import { KeptNote } from '../text/kept-note.tsx'
import styles from './new-ticket-dialog.module.css'
import { useCreation } from './use-creation.ts'
import { useNewTitle } from './use-new-title.ts'
import { useTicketType } from './use-ticket-type.ts'

interface NewTicketDialogProps {
  onClose: () => void
  idProject: number
  /** The parent of the new ticket, and its name. */
  idParent?: number
  parentName?: string
  /** The day that the new ticket gets in a DATE field. */
  on?: { field: Pick<DateField, 'id' | 'key' | 'label'>; day: string }
}

export function NewTicketDialog({ onClose: close, idProject: idGiven, idParent, parentName, on }: NewTicketDialogProps) {
  const session = useSession()
  const [idProject, setProject] = useState(idGiven)
  const [chosen, choose] = useState<number>()
  const { templates, types, isLoading, isTypeGone, idTemplate, defaults } = useTicketType(idProject, on?.field.id, chosen)
  const title = useNewTitle(`new-ticket-${idGiven}-${idParent ?? 0}`, defaults?.Title ?? '')
  const { register, formState } = title.form
  const onClose = () => {
    title.stopKeeping()
    close()
  }
  // As it was at the opening once it is archived, since the session then lists it no more.
  const [projectGiven] = useState(() => session.projects.find(({ id }) => id === idGiven))
  const project = session.projects.find(({ id }) => id === idProject) ?? projectGiven
  // A child belongs to its parent's project, a day to a field of one; any other ticket may go wherever its author may add one.
  const projects = session.projects.filter(
    ({ id }) => id === idProject || (!idParent && !on && mayInProject(session, id, permission.createTickets)),
  )
  const children = defaults?.Children?.length ?? 0

  const { submit, error, isBusy, isWaiting } = useCreation({
    ticket: { idProject, idTemplate, idParent, data: on && { [on.field.key]: on.day } },
    shortCode: project?.shortcode ?? '',
    isLoading,
    title,
    onClose,
  })
  const hasNoType = !idTemplate && !isLoading
  const isEmpty = templates.isSuccess && types.length === 0
  const change = on ? `was deleted or lost the field ${on.field.label}` : 'was deleted or archived'
  const noType = on && isEmpty && `No ticket type has the field ${on.field.label} anymore`
  return (
    <FormDialog
      title="New Ticket"
      maxWidth="sm"
      submitLabel="ADD & CLOSE"
      busy={isBusy}
      canCancelWhileBusy={isWaiting}
      disabled={hasNoType}
      isDirty={formState.isDirty}
      isKept
      error={error}
      onSubmit={event => void submit('close')(event)}
      onClose={onClose}
      actions={
        <>
          <Button disabled={isBusy || hasNoType} onClick={() => void submit('add another')()}>
            ADD & ADD ANOTHER
          </Button>
          <Button disabled={isBusy || hasNoType} onClick={() => void submit('open')()}>
            ADD & OPEN
          </Button>
        </>
      }
    >
      {parentName && <Fixed label="Parent">{parentName}</Fixed>}
      {/* First, because the ticket types are its own. */}
      {session.projects.length > 1 &&
        (projects.length > 1 ? (
          <Select
            label="Project"
            value={idProject}
            options={projects.map(({ id, Title, shortcode }) => ({ value: id, label: `${Title} [${shortcode}]` }))}
            onChange={id => {
              setProject(id)
              choose(undefined)
            }}
          />
        ) : (
          <Fixed label="Project">
            {project?.Title} [{project?.shortcode}]
          </Fixed>
        ))}
      {templates.isError && (
        <Alert severity="error" action={<Button onClick={() => void templates.refetch()}>TRY AGAIN</Button>}>
          {templates.error.message}
        </Alert>
      )}
      {isEmpty && !on && <NoTypes idProject={idProject} onLeave={onClose} />}
      <Select
        label="Ticket type"
        value={idTemplate ?? 0}
        options={types.map(({ idTicketTemplate, Description }) => ({ value: idTicketTemplate, label: Description }))}
        disabled={types.length === 0}
        problem={noType || (isTypeGone && `This type ${change} meanwhile: choose another one`)}
        onChange={choose}
      />
      {on && <Fixed label={on.field.label}>{formatDay(on.day)}</Fixed>}
      <TextField
        label="Title"
        autoFocus
        {...register('Title', {
          validate: nameRule('a title', limits.ticketTitle),
        })}
        problem={formState.errors.Title?.message}
        helperText={children > 0 && `Comes with ${counted(children, 'child ticket')}`}
      />
      {title.keptAt !== undefined && <KeptNote at={title.keptAt} onDiscard={() => title.discard()} />}
    </FormDialog>
  )
}

/** What the dialog shows and does not change. */
function Fixed({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <div className={styles.label}>{label}</div>
      {children}
    </div>
  )
}

function NoTypes({ idProject, onLeave }: { idProject: number; onLeave: () => void }) {
  const session = useSession()
  return (
    <Alert severity="info">
      This project has no ticket types yet, and each ticket needs one.{' '}
      {mayInProject(session, idProject, permission.manageTemplates) ? (
        <>
          <Link to={`/edit-project/${idProject}`} underlined onClick={onLeave}>
            Add a ticket template
          </Link>{' '}
          first.
        </>
      ) : (
        'Ask someone who may manage its templates to add one.'
      )}
    </Alert>
  )
}
